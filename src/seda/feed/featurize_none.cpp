// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/feed/featurize_cuda.h"

namespace seda::feed {
namespace {

[[noreturn]] void refuse() {
  device::throw_no_cuda("features on a GPU");
}

}  // namespace

struct FeaturizeCuda::Plan {};

FeaturizeCuda::FeaturizeCuda(const audio::MelOptions&, AudioKind, device::MemoryResource&,
                             device::StreamView) {
  refuse();
}

FeaturizeCuda::~FeaturizeCuda() = default;
FeaturizeCuda::FeaturizeCuda(FeaturizeCuda&&) noexcept = default;
FeaturizeCuda& FeaturizeCuda::operator=(FeaturizeCuda&&) noexcept = default;

void FeaturizeCuda::apply(const PackedBatch&, const BatchShape&, const BatchArrays&,
                          device::StreamView) const {
  refuse();
}

}  // namespace seda::feed
