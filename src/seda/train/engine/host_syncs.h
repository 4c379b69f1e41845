// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace seda::train {

/// While it lives, counts the times torch makes this thread wait for a GPU, into `count`. Counts
/// nothing in a build without CUDA.
class HostSyncCounter {
 public:
  explicit HostSyncCounter(uint64_t& count);
  ~HostSyncCounter();
  HostSyncCounter(const HostSyncCounter&) = delete;
  HostSyncCounter& operator=(const HostSyncCounter&) = delete;

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace seda::train
