// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/clip_limits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace seda::audio::detail {
namespace {

bool is_sane(float x) {
  return std::abs(x) <= kMostValue;  // false for what is no number
}

bool all_sane(std::span<const float> samples) {
  int strange = 0;  // counted, not looked for: no branch, so that it is done by vectors
  for (const float x : samples)
    strange += is_sane(x) ? 0 : 1;
  return strange == 0;
}

}  // namespace

std::optional<Fault> check_limits(const ClipFile& file, const SoundInfo& info) {
  if (info.channels < 1 || info.channels > kMostChannels) {
    return file.fault("audio_format", fmt::format("expected 1 to {} channels, found {}",
                                                  kMostChannels, info.channels));
  }
  if (info.sample_rate < kLeastRate || info.sample_rate > kMostRate) {
    return file.fault("audio_format", fmt::format("expected a rate of {} to {} Hz, found {}",
                                                  kLeastRate, kMostRate, info.sample_rate));
  }
  if (info.frames > kMostFrames || info.frames > kMostSeconds * info.sample_rate) {
    return file.fault("audio_too_long",
                      fmt::format("expected at most {} s and {} samples, found {:.0f} s and {}",
                                  kMostSeconds, kMostFrames, info.seconds(), info.frames));
  }
  return std::nullopt;
}

std::optional<Fault> check_finite(const ClipFile& file, std::span<const float> samples,
                                  int channels, int64_t first_frame) {
  if (all_sane(samples)) return std::nullopt;
  const auto strange = std::ranges::find_if_not(samples, is_sane);
  const int64_t frame = first_frame + (strange - samples.begin()) / channels;
  return file.fault("audio_not_finite", fmt::format("expected numbers within {:.0e}, found {} at "
                                                    "sample {}",
                                                    kMostValue, *strange, frame));
}

}  // namespace seda::audio::detail
