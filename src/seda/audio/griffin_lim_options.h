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

/// Error(usage) that names the first value that cannot be.
void check(const GriffinLimOptions& options);

/// The phase that a bin of a frame begins with: evenly drawn from [0, 2π), by splitmix64 of its
/// place. Plain arithmetic, so that every device begins alike.
constexpr float griffin_lim_phase(uint64_t seed, uint32_t bin, uint32_t frame) {
  uint64_t word = seed * 0xd1342543de82ef95 + (uint64_t{frame} << 32 | bin) + 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  word ^= word >> 31;
  constexpr float kStep = 6.283185307179586F / 16777216;  // 2π / 2^24
  return static_cast<float>(word >> 40) * kStep;
}

}  // namespace seda::audio
