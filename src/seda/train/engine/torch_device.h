// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "seda/device/stream.h"

namespace seda::train {

/// While it lives, what torch does in this thread goes to `stream` and its device. Nothing on the
/// CPU, which has no streams.
class StreamScope {
 public:
  explicit StreamScope(device::StreamView stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

/// Memory of torch on a device; zeros on the CPU.
struct TorchMemory {
  uint64_t held_bytes = 0;
  uint64_t used_bytes = 0;
  uint64_t peak_bytes = 0;  ///< Of what was held, since the peak was last forgotten.
};

TorchMemory torch_memory(device::Device device);

/// Counts the peak from now on.
void forget_memory_peak(device::Device device);

/// Torch takes no more than so much of the device; 0: all of it. Nothing on the CPU.
void limit_torch_memory(device::Device device, uint64_t bytes);

}  // namespace seda::train
