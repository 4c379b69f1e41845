// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace seda::speak {

/// How sentences stand one after another.
struct JoinOptions {
  double pause_s = 0.2;   ///< Silence between two.
  double fade_s = 0.005;  ///< Their ends rise and fall in this time.

  bool operator==(const JoinOptions&) const = default;
};

/// Makes the sounds of sentences one sound, piece by piece: the pieces in a row are the whole.
///
/// A sentence is faded at its ends, has silence before it unless it is the first, and is brought
/// down to 1 where it is louder, with a message. Sound that is not finite is an
/// Error(check_failed).
class Joiner {
 public:
  Joiner(const JoinOptions& options, int sample_rate)
      : options_(options), sample_rate_(sample_rate) {}

  /// What the sentence adds to the whole.
  std::vector<float> add(std::span<const float> sentence);

 private:
  JoinOptions options_;
  int sample_rate_;
  bool first_ = true;
};

/// Linear, from zero at the first sample and to zero at the last; over half the sound at most.
void fade_ends(std::span<float> sound, size_t samples);

/// Scales sound that is louder than 1 to 1 and returns the factor: 1 where nothing was to be done.
float guard_peak(std::span<float> sound);

}  // namespace seda::speak
