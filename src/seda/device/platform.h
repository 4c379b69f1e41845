// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seda/device/backend.h"
#include "seda/device/device.h"
#include "seda/device/stream.h"

namespace seda::device {

/// The devices of the machine. Owns the backends; outlives every stream, event, buffer and memory
/// resource made from it. Thread-safe.
class Platform {
 public:
  /// The CPU, and what CUDA shows to this process.
  Platform();
  /// For tests: backends of one's own.
  Platform(std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> cuda);

  /// The CPU first.
  std::vector<Device> devices() const;
  bool has(Device device) const noexcept;

  /// Why there is no CUDA device; empty where there is one.
  std::string cuda_absence() const;

  /// Who serves `device`. Error(unavailable) where it is not there, naming what is.
  Backend& backend(Device device) const;

  DeviceProperties properties(Device device) const;
  DeviceMemory memory(Device device) const;

  /// The device's own stream, which needs no owner. On CUDA it is ordered with other blocking
  /// streams but not with a `Stream`.
  StreamView default_stream(Device device) const;

  /// Whether work on `from` may address memory of `to`: always on the same device, never between
  /// the CPU and a GPU.
  bool can_reach(Device from, Device to) const;
  /// Makes it so where possible, else throws Error(unavailable). Again is harmless.
  void enable_peer(Device from, Device to) const;

 private:
  Backend& family(DeviceKind kind) const noexcept;

  std::unique_ptr<Backend> cpu_;
  std::unique_ptr<Backend> cuda_;
};

}  // namespace seda::device
