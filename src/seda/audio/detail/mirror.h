// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace seda::audio::detail {

/// The sample of a clip of `size` that stands for sample `index`, which may lie outside: mirrored
/// at the ends without repeating them, as often as it takes.
constexpr int64_t mirrored(int64_t index, int64_t size) {
  if (size == 1) return 0;
  const int64_t period = 2 * (size - 1);
  const int64_t within = (index % period + period) % period;
  return within < size ? within : period - within;
}

inline float to_float(float sample) {
  return sample;
}
inline float to_float(int16_t sample) {
  return static_cast<float>(sample) * (1.0F / 32768);
}

/// Samples from `first` on, as many as `out` holds: mirrored before the clip and up to `end` after
/// it, from there on zero.
template <typename Sample>
void copy_mirrored(std::span<const Sample> samples, int64_t first, int64_t end,
                   std::span<float> out) {
  const auto size = static_cast<int64_t>(samples.size());
  const auto count = static_cast<int64_t>(out.size());
  const auto at = [&](int64_t index) { return std::clamp<int64_t>(index - first, 0, count); };
  const auto put = [&](int64_t from, int64_t to, auto value) {
    for (int64_t i = from; i < to; ++i)
      out[static_cast<size_t>(i)] = value(first + i);
  };
  const auto own = [&](int64_t i) { return to_float(samples[static_cast<size_t>(i)]); };
  put(0, at(0), [&](int64_t i) { return own(mirrored(i, size)); });
  put(at(0), at(size), own);
  put(at(size), at(std::max(size, end)), [&](int64_t i) { return own(mirrored(i, size)); });
  put(at(std::max(size, end)), count, [](int64_t) { return 0.0F; });
}

}  // namespace seda::audio::detail
