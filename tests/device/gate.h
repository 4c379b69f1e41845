// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/device/stream.h"

namespace seda::device {

/// Work at the head of a stream that lasts until it is let go: what is behind it provably has not
/// run. Its end opens it.
class Gate {
 public:
  Gate() = default;
  virtual ~Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  virtual void open() = 0;

  /// Whether it opened by itself because `open` came too late: the host was blocked behind it.
  virtual bool gave_up() = 0;
};

/// A kernel that spins on `stream` of a real GPU until it is opened, or for 20 s. nullptr in a
/// build without CUDA. Allocating or freeing device memory while it is closed would wait for it.
std::unique_ptr<Gate> make_cuda_gate(StreamView stream);

/// The thread's current CUDA device; -1 in a build without CUDA. `set` does nothing there.
int current_cuda_device();
void set_current_cuda_device(int index);

}  // namespace seda::device
