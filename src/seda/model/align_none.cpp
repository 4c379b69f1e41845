// SPDX-License-Identifier: Apache-2.0
#include "seda/device/no_cuda.h"
#include "seda/model/align_cuda.h"

namespace seda::model {
namespace {

[[noreturn]] void refuse() {
  device::throw_no_cuda("alignment on a GPU");
}

}  // namespace

struct AlignCuda::Plan {};

AlignCuda::AlignCuda(const AlignShape& largest, device::MemoryResource&, device::StreamView)
    : largest_(largest) {
  refuse();
}
AlignCuda::~AlignCuda() = default;
AlignCuda::AlignCuda(AlignCuda&&) noexcept = default;
AlignCuda& AlignCuda::operator=(AlignCuda&&) noexcept = default;

void AlignCuda::apply(const AlignInput&, const AlignOutput&, device::StreamView) const {
  refuse();
}

}  // namespace seda::model
