// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/audio/mel_options.h"

namespace seda::feed {

/// Samples from a clip's first on that its first `frames` frames depend on: of a clip that has
/// more, they alone give the same frames. One that has fewer is needed whole. 0 for no frame.
///
/// What is cut so has up to padding / hop_length frames more than `frames`; whoever makes the mel
/// leaves them out.
int64_t samples_needed(const audio::MelOptions& options, int frames);

}  // namespace seda::feed
