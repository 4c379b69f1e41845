// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/role_memory.h"

#include <utility>

#include <fmt/format.h>

#include "seda/device/limit_resource.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"

namespace seda::feed {
namespace {

using device::LimitOptions;
using device::LimitResource;
using device::PinnedResource;
using device::PlainResource;

}  // namespace

RoleMemory::RoleMemory(const FeedOptions& options, const device::Platform& platform) {
  const Roles& roles = options.roles;
  const device::Device gpu = roles.data.is_cuda() ? roles.data : roles.model;
  host_ = options.pinned && gpu.is_cuda()
              ? &keep(std::make_unique<PinnedResource>(platform, gpu))
              : &keep(std::make_unique<PlainResource>(platform, device::kCpu));
  data_ = roles.data.is_cuda() ? &of_gpu(roles.data, options, platform, options.budgets.data_bytes,
                                         "the data role", "data.data_gpu_memory")
                               : &keep(std::make_unique<PlainResource>(platform, device::kCpu));
  model_ = roles.model.is_cuda()
               ? &of_gpu(roles.model, options, platform, options.budgets.model_bytes,
                         "the model role", "data.model_gpu_memory")
               : host_;
}

device::MemoryResource& RoleMemory::keep(std::unique_ptr<device::MemoryResource> resource) {
  return *owned_.emplace_back(std::move(resource));
}

device::MemoryResource& RoleMemory::of_gpu(device::Device device, const FeedOptions& options,
                                           const device::Platform& platform, uint64_t budget,
                                           const char* role, const char* key) {
  device::MemoryResource& plain = keep(std::make_unique<PlainResource>(platform, device));
  if (!options.budgets.isolated) return plain;
  return keep(std::make_unique<LimitResource>(
      plain,
      LimitOptions{budget, role, fmt::format("lower {}, or raise {}", batch_key(options), key)}));
}

}  // namespace seda::feed
