// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "seda/device/device.h"

namespace seda::device {

/// An address and the device whose memory it is in. Page-locked host memory is the CPU's.
struct Location {
  void* data = nullptr;
  Device device = kCpu;
};

/// A location that is only read.
struct ConstLocation {
  const void* data = nullptr;
  Device device = kCpu;

  ConstLocation() = default;
  ConstLocation(const void* where, Device of) noexcept : data(where), device(of) {}
  ConstLocation(Location location) noexcept  // NOLINT(google-explicit-constructor): as const T* is
      : data(location.data), device(location.device) {}
};

inline Location on_host(void* data) noexcept {
  return {.data = data, .device = kCpu};
}
inline ConstLocation on_host(const void* data) noexcept {
  return {data, kCpu};
}

}  // namespace seda::device
