// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/feed/featurize_cuda.h"

namespace seda::feed {
namespace {

[[noreturn]] void refuse() {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
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
