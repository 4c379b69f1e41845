// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "seda/device/memory_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/feed_options.h"

namespace seda::feed {

/// Where a loader's memory comes from: the host's, page-locked where GPUs copy from and to it, and
/// each role's, held to its budget where budgets bind.
class RoleMemory {
 public:
  /// `platform` outlives it.
  RoleMemory(const FeedOptions& options, const device::Platform& platform);

  /// For batches that are gathered.
  device::MemoryResource& host() const noexcept { return *host_; }
  /// Of the data device; plain memory where that is the CPU.
  device::MemoryResource& data() const noexcept { return *data_; }
  /// Of the model device; the host's where that is the CPU.
  device::MemoryResource& model() const noexcept { return *model_; }

 private:
  device::MemoryResource& keep(std::unique_ptr<device::MemoryResource> resource);
  device::MemoryResource& of_gpu(device::Device device, const FeedOptions& options,
                                 const device::Platform& platform, uint64_t budget,
                                 const char* role, const char* key);

  std::vector<std::unique_ptr<device::MemoryResource>> owned_;  // upstream ones first
  device::MemoryResource* host_ = nullptr;
  device::MemoryResource* data_ = nullptr;
  device::MemoryResource* model_ = nullptr;
};

}  // namespace seda::feed
