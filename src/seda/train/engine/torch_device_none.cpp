// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/torch_device.h"

namespace seda::train {

struct StreamScope::Guard {};

StreamScope::StreamScope(device::StreamView /*stream*/) {}
StreamScope::~StreamScope() = default;

TorchMemory torch_memory(device::Device /*device*/) {
  return {};
}

void forget_memory_peak(device::Device /*device*/) {}

void limit_torch_memory(device::Device /*device*/, uint64_t /*bytes*/) {}

}  // namespace seda::train
