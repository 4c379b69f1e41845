// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/mel_cuda.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <optional>

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/audio/mel_cpu.h"
#include "seda/device/buffer.h"
#include "tests/audio/clip.h"
#include "tests/audio/gpu.h"
#include "tests/audio/mel_reference.h"
#include "tests/support/error_message.h"
#include "tests/support/npy.h"

namespace seda::audio {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::Matrix;
using seda::testing_support::read_npy;
using testing::HasSubstr;
using testing_support::Gpu;
using testing_support::made_clip;
using testing_support::MelErrors;
using testing_support::MelReference;
using testing_support::published_clip;
using testing_support::read_clip;
using testing_support::sized;
using testing_support::to_floats;

constexpr float kPoison = -12345.0F;

/// Clips one after another in the GPU's memory, with `gap` samples of noise around each.
template <typename Sample>
struct Batch {
  Batch(Gpu& gpu, const std::vector<std::vector<Sample>>& clips, Sample noise = {},
        size_t gap = 0) {
    std::vector<Sample> all(gap, noise);
    std::vector<int64_t> starts;
    std::vector<int32_t> sizes;
    for (const auto& clip : clips) {
      starts.push_back(static_cast<int64_t>(all.size()));
      sizes.push_back(static_cast<int32_t>(clip.size()));
      all.insert(all.end(), clip.begin(), clip.end());
      all.insert(all.end(), gap, noise);
    }
    samples = gpu.upload(all);
    offsets = gpu.upload(starts);
    lengths = gpu.upload(sizes);
    count = static_cast<int>(clips.size());
  }

  MelInput input() const {
    return {samples.data(), sizeof(Sample) == 2 ? SampleType::pcm16 : SampleType::float32,
            offsets.as<int64_t>().data(), lengths.as<int32_t>().data(), count};
  }

  device::Buffer samples;
  device::Buffer offsets;
  device::Buffer lengths;
  int count = 0;
};

/// The mels of a batch, [batch, n_mels, frames], from memory that held poison.
template <typename Sample>
std::vector<float> run(Gpu& gpu, const MelCuda& mel, const Batch<Sample>& batch, int frames,
                       std::optional<float> pad = {}) {
  const size_t values = static_cast<size_t>(batch.count) *
                        static_cast<size_t>(mel.options().n_mels) * static_cast<size_t>(frames);
  const device::Buffer out = gpu.upload(std::vector<float>(values, kPoison));
  mel.apply(batch.input(), {out.data(), MelType::float32, frames, pad}, gpu.stream());
  return gpu.download<float>(out);
}

struct KernelAndOptions {
  MelKernel kernel;
  MelOptions options;
};

/// Every kernel with definitions that differ in every value.
std::vector<KernelAndOptions> various() {
  std::vector<MelOptions> all = {MelOptions{},
                                 mel_preset("tacotron2"),
                                 mel_preset("fullband"),
                                 sized(1024, 275, 1000, 100),
                                 sized(1024, 1000, 1001, 33),
                                 sized(1024, 1, 1024, 7),
                                 sized(400, 160, 400, 40),
                                 sized(512, 128, 512, 80),
                                 sized(1200, 300, 1200, 64),
                                 sized(2048, 275, 1100, 100),
                                 sized(4096, 1024, 4096, 128),
                                 sized(16, 4, 16, 3),
                                 sized(30, 7, 21, 5),
                                 sized(486, 81, 480, 512),
                                 sized(250, 250, 250, 1)};
  for (size_t i = 3; i < all.size(); ++i) {
    all[i].center = i % 2 == 1;
    all[i].filterbank = i % 3 == 2 ? Filterbank::htk : Filterbank::slaney;
    all[i].power = i % 4 == 0 ? 2 : i % 4 == 1 ? 1.5 : 1;
    all[i].compression = i % 5 == 4 ? Compression::log10 : Compression::log;
    all[i].fmin = i % 2 == 0 ? 0 : 55;
    all[i].fmax = i % 4 == 3 ? 11025 : 7000;
  }
  std::vector<KernelAndOptions> out;
  for (const MelOptions& options : all) {
    if (options.n_fft == 1024) out.push_back({MelKernel::warp, options});
    out.push_back({MelKernel::block, options});
    out.push_back({MelKernel::cufft, options});
  }
  MelOptions huge = sized(16384, 4096, 16384, 256);
  out.push_back({MelKernel::cufft, huge});
  return out;
}

const char* name_of(MelKernel kernel) {
  return kernel == MelKernel::warp ? "warp" : kernel == MelKernel::block ? "block" : "cufft";
}

using MelCudaTest = testing_support::GpuTest;

/// What fp32 can; cuFFT rounds more.
bool within_tolerance(MelKernel kernel, const MelErrors& errors) {
  if (kernel != MelKernel::cufft) return errors.within_tolerance();
  return errors.loud() <= 1e-3 && errors.most() <= 3e-4 && errors.largest() <= 3e-3;
}

TEST_F(MelCudaTest, EveryKernelEqualsTheDefinition) {
  for (const auto& [kernel, options] : various()) {
    const auto clip = made_clip(static_cast<size_t>(options.n_fft) * 2 + 9000);
    const MelCuda mel(options, gpu_->memory(), gpu_->stream(), kernel);
    const MelReference reference(options, to_floats(clip));
    const auto frames = static_cast<size_t>(reference.frames());
    const Batch<int16_t> batch(*gpu_, {clip});
    const auto got = run(*gpu_, mel, batch, static_cast<int>(frames));
    MelErrors errors;
    const size_t step = std::max<size_t>(1, frames / 12);
    for (size_t t = 0; t < frames; ++t) {
      if (t > 2 && t + 3 < frames && t % step != 0) continue;
      const auto want = reference.mel(static_cast<int64_t>(t));
      for (size_t band = 0; band < want.size(); ++band)
        errors.add(got[band * frames + t], want[band]);
    }
    EXPECT_TRUE(within_tolerance(kernel, errors))
        << name_of(kernel) << " " << describe(options).dump() << ": " << errors.text();
  }
}

TEST_F(MelCudaTest, EveryKernelEqualsTheGoldens) {
  const auto folder = seda::testing_support::shared_data().parent_path() / "golden" / "mel";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no golden spectrograms beside the project";
  MelOptions odd = sized(2048, 275, 1100, 100);
  odd.center = true;
  odd.power = 2;
  odd.fmin = 20;
  odd.fmax = 10000;
  const std::vector<std::pair<std::string, MelOptions>> presets = {
      {"hifigan", MelOptions{}},
      {"tacotron2", mel_preset("tacotron2")},
      {"fullband", mel_preset("fullband")},
      {"odd", odd}};
  for (const auto& [name, options] : presets) {
    for (const MelKernel kernel : {MelKernel::warp, MelKernel::block, MelKernel::cufft}) {
      if (kernel == MelKernel::warp && options.n_fft != 1024) continue;
      const MelCuda mel(options, gpu_->memory(), gpu_->stream(), kernel);
      MelErrors errors;
      for (const char* clip : {"LJ001-0001", "LJ001-0002", "LJ001-0008", "LJ001-0013"}) {
        const Matrix want = read_npy(folder / (name + "_" + clip + ".npy"));
        const Batch<int16_t> batch(*gpu_, {read_clip(published_clip(clip))});
        const auto got = run(*gpu_, mel, batch, static_cast<int>(want.columns));
        for (size_t i = 0; i < got.size(); ++i)
          errors.add(got[i], want.values[i]);
      }
      std::cout << "  " << name << " " << name_of(kernel) << ": " << errors.text() << "\n";
      EXPECT_TRUE(within_tolerance(kernel, errors)) << name << " " << name_of(kernel);
    }
  }
}

TEST_F(MelCudaTest, AClipIsTheSameAloneAndInABatch) {
  std::vector<std::vector<int16_t>> clips;
  for (const size_t samples : {0, 1, 2, 255, 256, 257, 384, 385, 1024, 5000, 22050})
    clips.push_back(made_clip(samples, samples + 1));
  const int frames = 101;
  for (const auto& [kernel, options] : various()) {
    if (options.n_mels > 200) continue;
    const MelCuda mel(options, gpu_->memory(), gpu_->stream(), kernel);
    const Batch<int16_t> batch(*gpu_, clips, int16_t{32767}, 700);
    const auto together = run(*gpu_, mel, batch, frames);
    const size_t each = static_cast<size_t>(options.n_mels) * frames;
    for (size_t i = 0; i < clips.size(); ++i) {
      const Batch<int16_t> one(*gpu_, {clips[i]});
      const auto alone = run(*gpu_, mel, one, frames);
      EXPECT_EQ(0, std::memcmp(alone.data(), together.data() + i * each, each * sizeof(float)))
          << name_of(kernel) << " " << describe(options).dump() << " clip of " << clips[i].size();
    }
  }
}

TEST_F(MelCudaTest, FramesBeyondAClipHoldThePadValueAndNoOthers) {
  for (const auto& [kernel, options] : various()) {
    std::vector<std::vector<int16_t>> clips;
    for (const size_t samples : {0, 1, 300, 1024, 4321})
      clips.push_back(made_clip(samples, samples + 1));
    const MelCuda mel(options, gpu_->memory(), gpu_->stream(), kernel);
    const Batch<int16_t> batch(*gpu_, clips);
    const int frames = 57;
    const float pad = 42.0F;
    const auto got = run(*gpu_, mel, batch, frames, pad);
    size_t at = 0;
    for (const auto& clip : clips) {
      const int64_t own = mel_frames(options, static_cast<int64_t>(clip.size()));
      for (int band = 0; band < options.n_mels; ++band) {
        for (int t = 0; t < frames; ++t, ++at) {
          ASSERT_NE(got[at], kPoison) << "not written";
          ASSERT_EQ(got[at] == pad, t >= own) << name_of(kernel) << " clip of " << clip.size()
                                              << " band " << band << " frame " << t;
        }
      }
    }
  }
}

TEST_F(MelCudaTest, ThePadValueIsSilenceUnlessSaid) {
  const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream());
  const Batch<int16_t> batch(*gpu_, {{}});
  for (const float value : run(*gpu_, mel, batch, 8))
    EXPECT_EQ(value, mel_silence(MelOptions{}));
}

TEST_F(MelCudaTest, WhatLiesAroundAClipInMemoryIsNeverHeard) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [kernel, options] : various()) {
    const MelCuda mel(options, gpu_->memory(), gpu_->stream(), kernel);
    const std::vector<float> clip = to_floats(made_clip(3000));
    const Batch<float> batch(*gpu_, {clip, clip}, nan, 5000);
    const int frames = static_cast<int>(mel_frames(options, 3000)) + 3;
    for (const float value : run(*gpu_, mel, batch, frames))
      ASSERT_TRUE(std::isfinite(value)) << name_of(kernel) << " " << describe(options).dump();
  }
}

TEST_F(MelCudaTest, ALongerClipIsCut) {
  const auto clip = made_clip(22050);
  const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream());
  const Batch<int16_t> batch(*gpu_, {clip});
  const int all = static_cast<int>(mel_frames(MelOptions{}, 22050));
  const auto whole = run(*gpu_, mel, batch, all);
  const auto cut = run(*gpu_, mel, batch, 30);
  for (size_t band = 0; band < 80; ++band) {
    for (size_t t = 0; t < 30; ++t)
      EXPECT_EQ(cut[band * 30 + t], whole[band * static_cast<size_t>(all) + t]);
  }
}

TEST_F(MelCudaTest, NothingIsWrittenAroundTheOutput) {
  for (const MelType type : {MelType::float32, MelType::bfloat16}) {
    for (const int frames : {1, 2, 3, 4, 5, 15, 16, 17, 33}) {
      for (const MelKernel kernel : {MelKernel::warp, MelKernel::block, MelKernel::cufft}) {
        const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream(), kernel);
        const Batch<int16_t> batch(*gpu_, {made_clip(4000), made_clip(9000)});
        const size_t bytes =
            size_t{2} * 80 * static_cast<size_t>(frames) * (type == MelType::float32 ? 4 : 2);
        const size_t guard = 64;
        const device::Buffer out = gpu_->upload(std::vector<uint8_t>(bytes + 2 * guard, 0xA5));
        mel.apply(batch.input(), {static_cast<std::byte*>(out.data()) + guard, type, frames, {}},
                  gpu_->stream());
        const auto got = gpu_->download<uint8_t>(out);
        for (size_t i = 0; i < guard; ++i) {
          ASSERT_EQ(got[i], 0xA5);
          ASSERT_EQ(got[guard + bytes + i], 0xA5);
        }
      }
    }
  }
}

TEST_F(MelCudaTest, BfloatIsTheFloatRounded) {
  for (const int frames : {64, 63}) {
    const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream());
    const Batch<int16_t> batch(*gpu_, {made_clip(14000)});
    const auto exact = run(*gpu_, mel, batch, frames);
    const device::Buffer out = gpu_->upload(std::vector<uint16_t>(exact.size(), 0xFFFF));
    mel.apply(batch.input(), {out.data(), MelType::bfloat16, frames, {}}, gpu_->stream());
    const auto rounded = gpu_->download<uint16_t>(out);
    for (size_t i = 0; i < exact.size(); ++i) {
      const float value = std::bit_cast<float>(static_cast<uint32_t>(rounded[i]) << 16);
      ASSERT_LE(std::abs(value - exact[i]), std::abs(exact[i]) / 256) << i;
    }
  }
}

TEST_F(MelCudaTest, FloatSamplesGiveTheSameAs16BitOnes) {
  const auto clip = made_clip(9000);
  for (const MelKernel kernel : {MelKernel::warp, MelKernel::block, MelKernel::cufft}) {
    const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream(), kernel);
    const Batch<int16_t> integers(*gpu_, {clip});
    const Batch<float> floats(*gpu_, {to_floats(clip)});
    EXPECT_EQ(run(*gpu_, mel, integers, 35), run(*gpu_, mel, floats, 35)) << name_of(kernel);
  }
}

TEST_F(MelCudaTest, EqualsTheCpu) {
  const auto clip = made_clip(60000);
  const MelCuda cuda(MelOptions{}, gpu_->memory(), gpu_->stream());
  const MelCpu cpu(MelOptions{});
  const auto frames = static_cast<size_t>(cpu.frames(60000));
  std::vector<float> want(80 * frames);
  MelCpu::Workspace workspace(cpu);
  cpu.apply(std::span<const int16_t>(clip), workspace, {want.data(), frames, frames});
  const Batch<int16_t> batch(*gpu_, {clip});
  const auto got = run(*gpu_, cuda, batch, static_cast<int>(frames));
  MelErrors errors;
  for (size_t i = 0; i < got.size(); ++i)
    errors.add(got[i], want[i]);
  EXPECT_TRUE(errors.within_tolerance()) << errors.text();
}

TEST_F(MelCudaTest, CanBeCapturedInAGraphAndNeverAllocates) {
  for (const MelKernel kernel : {MelKernel::warp, MelKernel::block, MelKernel::cufft}) {
    const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream(), kernel);
    const Batch<int16_t> batch(*gpu_, {made_clip(9000), made_clip(4000)});
    const auto want = run(*gpu_, mel, batch, 40);
    const device::Buffer out = gpu_->upload(std::vector<float>(want.size(), kPoison));
    const auto before = gpu_->memory().statistics().allocations;
    const auto native = static_cast<cudaStream_t>(gpu_->stream().native());
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t program = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(native, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    mel.apply(batch.input(), {out.data(), MelType::float32, 40, {}}, gpu_->stream());
    ASSERT_EQ(cudaStreamEndCapture(native, &graph), cudaSuccess);
    EXPECT_EQ(gpu_->memory().statistics().allocations, before);
    EXPECT_EQ(gpu_->download<float>(out).front(), kPoison) << "ran while it was captured";
    ASSERT_EQ(cudaGraphInstantiate(&program, graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(program, native), cudaSuccess);
    EXPECT_EQ(gpu_->download<float>(out), want) << name_of(kernel);
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
  }
}

TEST_F(MelCudaTest, TakesTheFastestKernelThatCan) {
  const auto kernel = [&](const MelOptions& options) {
    return MelCuda(options, gpu_->memory(), gpu_->stream()).kernel();
  };
  EXPECT_EQ(kernel(MelOptions{}), MelKernel::warp);
  EXPECT_EQ(kernel(sized(512, 128, 512, 80)), MelKernel::block);
  EXPECT_EQ(kernel(sized(8192, 128, 512, 80)), MelKernel::cufft);
}

TEST_F(MelCudaTest, SaysWhichKernelCannot) {
  EXPECT_THAT(error_message([&] {
                MelCuda(sized(512, 128, 512, 80), gpu_->memory(), gpu_->stream(), MelKernel::warp);
              }),
              HasSubstr("the kernel 'warp' cannot do n_fft 512"));
}

TEST_F(MelCudaTest, RefusesMoreThanTheKernelsCount) {
  const MelCuda mel(MelOptions{}, gpu_->memory(), gpu_->stream());
  const Batch<int16_t> batch(*gpu_, {made_clip(4000)});
  MelInput many = batch.input();
  many.batch = 70000;
  EXPECT_THAT(
      error_message([&] { mel.apply(many, {nullptr, MelType::float32, 1, {}}, gpu_->stream()); }),
      HasSubstr("found 70000"));
}

}  // namespace
}  // namespace seda::audio
