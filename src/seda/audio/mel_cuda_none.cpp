// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_cuda.h"
#include "seda/base/error.h"

namespace seda::audio {

struct MelCuda::Plan {};

MelCuda::MelCuda(const MelOptions& options, device::MemoryResource&, device::StreamView,
                 std::optional<MelKernel>)
    : options_(options) {
  throw_error(ErrorKind::unavailable,
              "this build has no CUDA; build with a CUDA toolkit, or use the CPU");
}

MelCuda::~MelCuda() = default;
MelCuda::MelCuda(MelCuda&&) noexcept = default;
MelCuda& MelCuda::operator=(MelCuda&&) noexcept = default;

void MelCuda::apply(const MelInput&, const MelOutput&, device::StreamView) const {}

}  // namespace seda::audio
