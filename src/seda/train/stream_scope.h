// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/device/stream.h"

namespace seda::train {

/// Makes `stream` the current one of torch, in this thread, for its life. Nothing to do on the CPU.
class StreamScope {
 public:
  explicit StreamScope(device::StreamView stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seda::train
