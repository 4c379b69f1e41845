// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/platform.h"
#include "seda/train/library.h"
#include "seda/train/train_options.h"
#include "seda/train/vocoder_report.h"

namespace seda::train {

/// Trains a vocoder on the sounds of a corpus: from the newest checkpoint of its folder where there
/// is one, until its steps are done or it is asked to stop. `options` are of a `vocoder_config`.
///
/// Signals, another trainer in the folder and a loss that is not finite as `train`; no batch is
/// saved, since seed and step make it again.
VocoderReport train_vocoder(const TrainOptions& options, const Library& library,
                            const device::Platform& platform);

}  // namespace seda::train
