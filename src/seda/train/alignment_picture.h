// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "seda/audio/picture.h"
#include "seda/train/engine.h"

namespace seda::train {

/// Which token each frame belongs to: frames to the right, tokens upwards. Of a model that has
/// learned to read it is a line from corner to corner without long flat pieces.
audio::Picture draw_alignment(const AlignedClip& clip, std::string_view title);

}  // namespace seda::train
