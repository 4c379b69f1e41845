// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/griffin_lim_cuda.h"
#include "seda/audio/mel_cuda.h"
#include "seda/audio/stft_cuda.h"
#include "seda/device/no_cuda.h"

namespace seda::audio {
namespace {

[[noreturn]] void refuse() {
  device::throw_no_cuda("spectra on a GPU");
}

}  // namespace

struct MelCuda::Plan {};

MelCuda::MelCuda(const MelOptions& options, device::MemoryResource&, device::StreamView,
                 std::optional<MelKernel>)
    : options_(options) {
  refuse();
}

MelCuda::~MelCuda() = default;
MelCuda::MelCuda(MelCuda&&) noexcept = default;
MelCuda& MelCuda::operator=(MelCuda&&) noexcept = default;

void MelCuda::apply(const MelInput&, const MelOutput&, device::StreamView) const {
  refuse();
}

struct StftCuda::Plan {};

StftCuda::StftCuda(const MelOptions&, int, int, device::MemoryResource&, device::StreamView) {
  refuse();
}
StftCuda::~StftCuda() = default;
StftCuda::StftCuda(StftCuda&&) noexcept = default;
StftCuda& StftCuda::operator=(StftCuda&&) noexcept = default;

int64_t StftCuda::samples() const noexcept {
  return 0;
}
void StftCuda::forward(const float*, std::complex<float>*, device::StreamView) const {
  refuse();
}
void StftCuda::inverse(std::complex<float>*, float*, device::StreamView) const {
  refuse();
}

struct GriffinLimCuda::Plan {
  StftCuda stft;
};

GriffinLimCuda::GriffinLimCuda(const MelOptions&, int, int, device::MemoryResource&,
                               device::StreamView) {
  refuse();
}
GriffinLimCuda::~GriffinLimCuda() = default;
GriffinLimCuda::GriffinLimCuda(GriffinLimCuda&&) noexcept = default;
GriffinLimCuda& GriffinLimCuda::operator=(GriffinLimCuda&&) noexcept = default;

const StftCuda& GriffinLimCuda::stft() const noexcept {
  return plan_->stft;
}
void GriffinLimCuda::apply(const float*, const GriffinLimOptions&, float*,
                           device::StreamView) const {
  refuse();
}

}  // namespace seda::audio
