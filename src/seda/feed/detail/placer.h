// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "seda/device/backend.h"

namespace seda::feed::detail {

/// Lays arrays one after another, each aligned as allocations are. Without a base it only counts.
class Placer {
 public:
  explicit Placer(void* base) : base_(base) {}

  template <typename T>
  T* take(size_t count) {
    const size_t at = bytes_;
    bytes_ +=
        (count * sizeof(T) + device::kAlignment - 1) / device::kAlignment * device::kAlignment;
    return base_ == nullptr ? nullptr : reinterpret_cast<T*>(static_cast<std::byte*>(base_) + at);
  }

  size_t bytes() const noexcept { return bytes_; }

 private:
  void* base_;
  size_t bytes_ = 0;
};

}  // namespace seda::feed::detail
