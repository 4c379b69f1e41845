// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"
#include "seda/model/align_cuda.h"

namespace seda::model {
namespace {

[[noreturn]] void refuse() {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
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
