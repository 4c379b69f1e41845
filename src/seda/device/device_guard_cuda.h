// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::device {

/// Makes a device the calling thread's current CUDA device for a scope, then puts the old one back.
///
/// The old one is put back only if this process already has a context there: otherwise the mere
/// restoring would make one, some hundred megabytes on a GPU that nobody uses.
class DeviceGuard {
 public:
  explicit DeviceGuard(int index);
  ~DeviceGuard();
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  int index_;
  int before_ = 0;
};

}  // namespace seda::device
