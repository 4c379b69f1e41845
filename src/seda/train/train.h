// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/platform.h"
#include "seda/train/library.h"
#include "seda/train/train_options.h"
#include "seda/train/train_report.h"

namespace seda::train {

/// Trains a voice: from the newest checkpoint of its folder where there is one, until its steps are
/// done or it is asked to stop.
///
/// SIGTERM seals a checkpoint and returns; Ctrl-C does and then throws Error(interrupted). A loss
/// that is not finite is an Error(check_failed) that names step, shape and clips, and where the
/// batch was saved for `replay`. Another trainer in the same folder is an Error(unavailable).
TrainReport train(const TrainOptions& options, const Library& library,
                  const device::Platform& platform);

}  // namespace seda::train
