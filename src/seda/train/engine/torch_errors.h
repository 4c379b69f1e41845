// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <torch/torch.h>

#include "seda/device/device.h"
#include "seda/feed/batch.h"

namespace seda::train {

/// What torch is asked to do, for the message when it fails.
struct TorchWork {
  std::string_view what;  ///< "a training step"
  device::Device device;
  uint64_t memory_limit_bytes = 0;
  feed::BatchShape largest;  ///< Batch so far; none of them: not said.
};

/// The Error that an exception of torch stands for: Error(memory) where it is out of memory, with
/// what was asked, what is in use, and what to lower; Error(unavailable) where the GPU stopped
/// answering; Error(internal) with the first line of its message for anything else.
[[noreturn]] void throw_torch_error(const c10::Error& error, const TorchWork& work);

/// Calls, with torch's exceptions made Errors.
template <typename Call>
auto in_torch(const TorchWork& work, Call&& call) {
  try {
    return call();
  } catch (const c10::Error& error) {
    throw_torch_error(error, work);
  }
}

}  // namespace seda::train
