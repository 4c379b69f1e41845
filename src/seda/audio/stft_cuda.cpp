// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/stft_cuda.h"

#include <vector>

#include "seda/audio/detail/cufft_cuda.h"
#include "seda/audio/detail/stft_launch_cuda.h"
#include "seda/audio/mel_tables.h"
#include "seda/audio/stft_cpu.h"
#include "seda/base/error.h"
#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"
#include "seda/device/upload.h"

namespace seda::audio {

struct StftCuda::Plan {
  using Kind = detail::CufftPlan::Kind;

  Plan(const MelOptions& options, int batch, int frame_count, device::MemoryResource& resource,
       device::StreamView stream)
      : device(stream.device().index),
        forward(Kind::real_to_complex, options.n_fft, batch * frame_count, resource, stream),
        backward(Kind::complex_to_real, options.n_fft, batch * frame_count, resource, stream),
        frames(sizeof(float) * static_cast<size_t>(options.n_fft) * static_cast<size_t>(batch) *
                   static_cast<size_t>(frame_count),
               resource, stream) {
    const std::vector<double> exact = mel_window(options);
    window =
        device::upload<float>(std::vector<float>(exact.begin(), exact.end()), resource, stream);
    shape = {batch,
             frame_count,
             static_cast<int>(stft_samples(options, frame_count)),
             options.n_fft,
             options.hop_length,
             mel_padding(options),
             window.as<float>().data()};
  }

  int device;
  detail::CufftPlan forward;
  detail::CufftPlan backward;
  device::Buffer frames;
  device::Buffer window;
  detail::StftShape shape{};
};

namespace {

void check_shape(int batch, int frames) {
  constexpr int64_t kMostRows = 1 << 24;
  if (batch > 0 && frames > 0 && int64_t{batch} * frames <= kMostRows) return;
  throw_error(ErrorKind::usage,
              "expected a batch and frames above 0, at most {} together, found {} x {}", kMostRows,
              batch, frames);
}

}  // namespace

StftCuda::StftCuda(const MelOptions& options, int batch, int frames,
                   device::MemoryResource& resource, device::StreamView stream)
    : options_(options), batch_(batch), frames_(frames) {
  check(options);
  check_shape(batch, frames);
  const device::DeviceGuard guard(stream.device().index);
  plan_ = std::make_unique<Plan>(options, batch, frames, resource, stream);
}

StftCuda::~StftCuda() = default;
StftCuda::StftCuda(StftCuda&&) noexcept = default;
StftCuda& StftCuda::operator=(StftCuda&&) noexcept = default;

int64_t StftCuda::samples() const noexcept {
  return plan_->shape.samples;
}

void StftCuda::forward(const float* samples, std::complex<float>* spectrum,
                       device::StreamView stream) const {
  const device::DeviceGuard guard(plan_->device);
  auto* const frames = plan_->frames.as<float>().data();
  const auto native = static_cast<cudaStream_t>(stream.native());
  device::check_cuda(detail::run_cut_frames(plan_->shape, samples, frames, native), "cut kernel",
                     plan_->device);
  plan_->forward.apply(frames, spectrum, stream);
}

void StftCuda::inverse(std::complex<float>* spectrum, float* samples,
                       device::StreamView stream) const {
  const device::DeviceGuard guard(plan_->device);
  auto* const frames = plan_->frames.as<float>().data();
  plan_->backward.apply(spectrum, frames, stream);
  const auto native = static_cast<cudaStream_t>(stream.native());
  device::check_cuda(detail::run_join_frames(plan_->shape, frames, samples, native), "join kernel",
                     plan_->device);
}

}  // namespace seda::audio
