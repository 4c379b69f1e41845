// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/picture.h"

namespace seda::audio {

/// The colour of a share from 0 to 1: from nearly black over purple and orange to nearly white.
/// Its lightness (Oklab) rises evenly, so that equal steps look equal, in grey, too.
Color map_color(double share);

}  // namespace seda::audio
