// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seda::audio {

/// Fast Griffin-Lim (Perraudin, Balazs, Søndergaard 2013): phases that fit given magnitudes.
struct GriffinLimOptions {
  int iterations = 32;
  double momentum = 0.99;  ///< 0: the plain algorithm of 1984.
  uint64_t seed = 0;       ///< Of the phases it begins with.

  bool operator==(const GriffinLimOptions&) const = default;
};

}  // namespace seda::audio
