// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace seda::audio::detail {

constexpr size_t kMaxLanes = 16;  ///< Floats in the widest vector that is used.

/// Floats that begin at a cache line, which is also where the widest vector may.
class FloatLines {
 public:
  explicit FloatLines(size_t size = 0) : lines_((size + kMaxLanes - 1) / kMaxLanes) {}

  float* data() noexcept { return lines_.empty() ? nullptr : lines_.front().values; }
  const float* data() const noexcept { return lines_.empty() ? nullptr : lines_.front().values; }
  size_t size() const noexcept { return lines_.size() * kMaxLanes; }

 private:
  struct alignas(kMaxLanes * sizeof(float)) Line {
    float values[kMaxLanes] = {};
  };

  std::vector<Line> lines_;
};

}  // namespace seda::audio::detail
