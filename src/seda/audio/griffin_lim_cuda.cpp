// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/griffin_lim_cuda.h"

#include <cmath>
#include <numbers>

#include "seda/audio/detail/stft_launch_cuda.h"
#include "seda/audio/mel_inverse.h"
#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"
#include "seda/device/upload.h"

namespace seda::audio {
namespace {

detail::StftShape shape_of(const StftCuda& stft) {
  return {stft.batch(),
          stft.frames(),
          static_cast<int>(stft.samples()),
          stft.options().n_fft,
          stft.options().hop_length,
          mel_padding(stft.options()),
          nullptr};
}

double binary_logarithms(Compression compression) {
  return compression == Compression::log ? std::numbers::log2e : std::log2(10.0);
}

}  // namespace

struct GriffinLimCuda::Plan {
  Plan(const MelOptions& options, int batch, int frames, device::MemoryResource& resource,
       device::StreamView stream)
      : stft(options, batch, frames, resource, stream),
        shape(shape_of(stft)),
        device(stream.device().index),
        matrix(device::upload<float>(mel_inverse_matrix(options), resource, stream)),
        magnitudes(sizeof(float) * values(), resource, stream),
        estimate(sizeof(float2) * values(), resource, stream),
        rebuilt(sizeof(float2) * values(), resource, stream),
        previous(sizeof(float2) * values(), resource, stream),
        mel{options.n_mels, matrix.as<float>().data(),
            static_cast<float>(binary_logarithms(options.compression)),
            static_cast<float>(1 / options.power)} {}

  size_t values() const {
    return static_cast<size_t>(shape.rows()) * static_cast<size_t>(shape.bins());
  }

  StftCuda stft;
  detail::StftShape shape;
  int device;
  device::Buffer matrix;
  device::Buffer magnitudes;
  device::Buffer estimate;
  device::Buffer rebuilt;
  device::Buffer previous;
  detail::MelInverseShape mel;
};

GriffinLimCuda::GriffinLimCuda(const MelOptions& options, int batch, int frames,
                               device::MemoryResource& resource, device::StreamView stream)
    : plan_(std::make_unique<Plan>(options, batch, frames, resource, stream)) {}
GriffinLimCuda::~GriffinLimCuda() = default;
GriffinLimCuda::GriffinLimCuda(GriffinLimCuda&&) noexcept = default;
GriffinLimCuda& GriffinLimCuda::operator=(GriffinLimCuda&&) noexcept = default;

const StftCuda& GriffinLimCuda::stft() const noexcept {
  return plan_->stft;
}

void GriffinLimCuda::apply(const float* mels, const GriffinLimOptions& options, float* samples,
                           device::StreamView stream) const {
  check(options);
  const Plan& plan = *plan_;
  const device::DeviceGuard guard(plan.device);
  const auto native = static_cast<cudaStream_t>(stream.native());
  const auto inertia = static_cast<float>(options.momentum / (1 + options.momentum));
  auto* const magnitudes = plan.magnitudes.as<float>().data();
  auto* const estimate = plan.estimate.as<float2>().data();
  auto* const rebuilt = plan.rebuilt.as<float2>().data();
  auto* const previous = plan.previous.as<float2>().data();
  const auto complex = [](float2* values) {
    return reinterpret_cast<std::complex<float>*>(values);
  };
  const auto check_run = [&](cudaError_t code, const char* call) {
    device::check_cuda(code, call, plan.device);
  };

  check_run(detail::run_mel_inverse(plan.shape, plan.mel, mels, magnitudes, native), "mel inverse");
  check_run(
      detail::run_first_phases(plan.shape, options.seed, magnitudes, estimate, previous, native),
      "first phases");
  for (int i = 0; i < options.iterations; ++i) {
    plan.stft.inverse(complex(estimate), samples, stream);
    plan.stft.forward(samples, complex(rebuilt), stream);
    check_run(
        detail::run_improve(plan.shape, inertia, magnitudes, rebuilt, estimate, previous, native),
        "Griffin-Lim step");
  }
  plan.stft.inverse(complex(estimate), samples, stream);
}

}  // namespace seda::audio
