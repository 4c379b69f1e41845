// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/griffin_lim_cuda.h"

#include <cmath>
#include <complex>

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/griffin_lim_cpu.h"
#include "seda/audio/mel_cpu.h"
#include "seda/audio/stft_cpu.h"
#include "tests/audio/clip.h"
#include "tests/audio/gpu.h"
#include "tests/audio/mel_reference.h"
#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

using seda::testing_support::error_message;
using testing::HasSubstr;
using testing_support::made_clip;
using testing_support::sized;
using testing_support::to_floats;
using Complex = std::complex<float>;

using GriffinLimCudaTest = testing_support::GpuTest;

std::vector<MelOptions> various() {
  MelOptions power = mel_preset("tacotron2");
  power.power = 2;
  power.compression = Compression::log10;
  return {MelOptions{}, power, sized(400, 100, 400), sized(1200, 300, 1000),
          sized(2048, 275, 1100)};
}

std::vector<float> mel_of(const MelOptions& options, const std::vector<float>& clip,
                          size_t frames) {
  const MelCpu plan(options);
  MelCpu::Workspace workspace(plan);
  std::vector<float> mel(static_cast<size_t>(options.n_mels) * frames);
  plan.apply(std::span<const float>(clip), workspace, {mel.data(), frames, frames});
  return mel;
}

/// Clips of just so many frames, one after another.
std::vector<float> clips_of(const MelOptions& options, int batch, int frames) {
  std::vector<float> all;
  for (int i = 0; i < batch; ++i) {
    const auto samples = static_cast<size_t>(stft_samples(options, frames));
    const auto clip = to_floats(made_clip(samples, static_cast<uint64_t>(i) + 1));
    all.insert(all.end(), clip.begin(), clip.end());
  }
  return all;
}

TEST_F(GriffinLimCudaTest, ForwardEqualsTheCpu) {
  for (const MelOptions& options : various()) {
    const int frames = 21;
    const StftCuda stft(options, 2, frames, gpu_->memory(), gpu_->stream());
    const auto clips = clips_of(options, 2, frames);
    const auto samples = gpu_->upload(clips);
    const auto bins = static_cast<size_t>(stft.bins());
    const auto spectrum = gpu_->upload(std::vector<Complex>(2 * frames * bins));
    stft.forward(samples.as<float>().data(), spectrum.as<Complex>().data(), gpu_->stream());
    const auto got = gpu_->download<Complex>(spectrum);
    const auto length = static_cast<size_t>(stft.samples());
    for (size_t clip = 0; clip < 2; ++clip) {
      const auto want = StftCpu(options).forward(std::span(clips).subspan(clip * length, length));
      ASSERT_EQ(want.frames(), static_cast<size_t>(frames));
      for (size_t t = 0; t < want.frames(); ++t) {
        for (size_t k = 0; k < bins; ++k) {
          const Complex value = got[(clip * frames + t) * bins + k];
          ASSERT_NEAR(value.real(), want.real(k, t), 2e-4);
          ASSERT_NEAR(value.imag(), want.imaginary(k, t), 2e-4);
        }
      }
    }
  }
}

TEST_F(GriffinLimCudaTest, InverseGivesTheClipBack) {
  for (const MelOptions& options : various()) {
    const int frames = 33;
    const StftCuda stft(options, 3, frames, gpu_->memory(), gpu_->stream());
    const auto clips = clips_of(options, 3, frames);
    const auto samples = gpu_->upload(clips);
    const auto spectrum =
        gpu_->upload(std::vector<Complex>(3 * frames * static_cast<size_t>(stft.bins())));
    const auto back = gpu_->upload(std::vector<float>(clips.size(), 7));
    stft.forward(samples.as<float>().data(), spectrum.as<Complex>().data(), gpu_->stream());
    stft.inverse(spectrum.as<Complex>().data(), back.as<float>().data(), gpu_->stream());
    const auto got = gpu_->download<float>(back);
    for (size_t i = 0; i < clips.size(); ++i) {
      if (std::abs(got[i] - clips[i]) <= 1e-4F) continue;
      // Where windows are too small to divide by, the CPU gives the same.
      const auto length = static_cast<size_t>(stft.samples());
      std::vector<float> want(length);
      const StftCpu cpu(options);
      cpu.inverse(cpu.forward(std::span(clips).subspan(i / length * length, length)), want);
      ASSERT_NEAR(got[i], want[i % length], 1e-3) << "sample " << i;
    }
  }
}

TEST_F(GriffinLimCudaTest, ComesAsNearToTheMelAsTheCpu) {
  for (const MelOptions& options : various()) {
    const int frames = 60;
    const auto clip = clips_of(options, 1, frames);
    const auto mel = mel_of(options, clip, frames);
    const GriffinLimCuda cuda(options, 1, frames, gpu_->memory(), gpu_->stream());
    const auto mels = gpu_->upload(mel);
    const auto out = gpu_->upload(std::vector<float>(static_cast<size_t>(cuda.stft().samples())));
    cuda.apply(mels.as<float>().data(), {}, out.as<float>().data(), gpu_->stream());
    auto copy = mel;
    const auto distance = [&](const std::vector<float>& samples) {
      const auto again = mel_of(options, samples, frames);
      double sum = 0;
      for (size_t i = 0; i < mel.size(); ++i)
        sum += std::abs(again[i] - mel[i]);
      return sum / static_cast<double>(mel.size());
    };
    const double by_cpu = distance(GriffinLimCpu(options).apply({copy.data(), frames, frames}, {}));
    const double by_cuda = distance(gpu_->download<float>(out));
    EXPECT_LT(by_cuda, by_cpu * 1.1 + 0.01) << by_cpu;
    EXPECT_LT(by_cuda, 0.6);
  }
}

TEST_F(GriffinLimCudaTest, BeginsWithTheCpusPhases) {
  const int frames = 40;
  auto mel = mel_of(MelOptions{}, clips_of(MelOptions{}, 1, frames), frames);
  const GriffinLimOptions none{.iterations = 0, .momentum = 0.99, .seed = 5};
  const auto want = GriffinLimCpu(MelOptions{}).apply({mel.data(), frames, frames}, none);
  const GriffinLimCuda cuda(MelOptions{}, 1, frames, gpu_->memory(), gpu_->stream());
  const auto mels = gpu_->upload(mel);
  const auto out = gpu_->upload(std::vector<float>(want.size()));
  cuda.apply(mels.as<float>().data(), none, out.as<float>().data(), gpu_->stream());
  const auto got = gpu_->download<float>(out);
  for (size_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(got[i], want[i], 1e-3) << i;
}

TEST_F(GriffinLimCudaTest, AClipOfABatchIsTheSameAsAlone) {
  const int frames = 25;
  const auto clips = clips_of(MelOptions{}, 3, frames);
  const auto length = clips.size() / 3;
  std::vector<float> together;
  std::vector<std::vector<float>> apart;
  for (size_t i = 0; i < 3; ++i) {
    const std::vector<float> clip(clips.begin() + static_cast<std::ptrdiff_t>(i * length),
                                  clips.begin() + static_cast<std::ptrdiff_t>((i + 1) * length));
    apart.push_back(mel_of(MelOptions{}, clip, frames));
    together.insert(together.end(), apart.back().begin(), apart.back().end());
  }
  const GriffinLimCuda three(MelOptions{}, 3, frames, gpu_->memory(), gpu_->stream());
  const GriffinLimCuda one(MelOptions{}, 1, frames, gpu_->memory(), gpu_->stream());
  const auto run = [&](const GriffinLimCuda& plan, const std::vector<float>& mel, size_t samples) {
    const auto mels = gpu_->upload(mel);
    const auto out = gpu_->upload(std::vector<float>(samples));
    plan.apply(mels.as<float>().data(), {.iterations = 4, .momentum = 0.99, .seed = 1},
               out.as<float>().data(), gpu_->stream());
    return gpu_->download<float>(out);
  };
  const auto all = run(three, together, clips.size());
  for (size_t i = 0; i < 3; ++i) {
    const auto alone = run(one, apart[i], length);
    for (size_t j = 0; j < length; ++j)
      ASSERT_NEAR(all[i * length + j], alone[j], 1e-4);
  }
}

TEST_F(GriffinLimCudaTest, CanBeCapturedInAGraph) {
  const int frames = 30;
  const auto mel = mel_of(MelOptions{}, clips_of(MelOptions{}, 1, frames), frames);
  const GriffinLimCuda cuda(MelOptions{}, 1, frames, gpu_->memory(), gpu_->stream());
  const auto mels = gpu_->upload(mel);
  const auto out = gpu_->upload(std::vector<float>(static_cast<size_t>(cuda.stft().samples())));
  cuda.apply(mels.as<float>().data(), {}, out.as<float>().data(), gpu_->stream());
  const auto want = gpu_->download<float>(out);
  const auto native = static_cast<cudaStream_t>(gpu_->stream().native());
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  cuda.apply(mels.as<float>().data(), {}, out.as<float>().data(), gpu_->stream());
  ASSERT_EQ(cudaStreamEndCapture(native, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&program, graph, 0), cudaSuccess);
  device::fill(out.location(), std::byte{0xFF}, out.bytes(), gpu_->stream());
  ASSERT_EQ(cudaGraphLaunch(program, native), cudaSuccess);
  EXPECT_EQ(gpu_->download<float>(out), want);
  cudaGraphExecDestroy(program);
  cudaGraphDestroy(graph);
}

TEST_F(GriffinLimCudaTest, RefusesShapesThatCannotBe) {
  EXPECT_THAT(error_message([&] { StftCuda(MelOptions{}, 0, 10, gpu_->memory(), gpu_->stream()); }),
              HasSubstr("found 0 x 10"));
}

}  // namespace
}  // namespace seda::audio
