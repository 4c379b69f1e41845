// SPDX-License-Identifier: Apache-2.0
// Row 5 of bench/README.md, beside torchaudio on the same GPU (mel_peers.py).
//
// Log-mel spectrograms of 256 clips of 10 s on a GPU, by each kernel, timed by events; a copy of as
// many bytes beside them is the memory's own limit. Says why it is left out where there is no GPU.
#include <vector>

#include "bench/support/gpu_time.h"
#include <benchmark/benchmark.h>

#include "seda/audio/griffin_lim_cuda.h"
#include "seda/audio/mel_cuda.h"
#include "seda/base/random.h"
#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/device/upload.h"

namespace seda::audio {
namespace {

using bench::time_on;

constexpr int kClips = 256;
constexpr int kSeconds = 10;
constexpr int kRate = 22050;
constexpr int64_t kSamples = int64_t{kSeconds} * kRate;

/// Noise, made once for all rows.
const std::vector<int16_t>& samples_of_all() {
  static const auto samples = [] {
    std::vector<int16_t> out(static_cast<size_t>(kClips * kSamples));
    Random random(1);
    for (int16_t& sample : out)
      sample = static_cast<int16_t>(random() >> 50);
    return out;
  }();
  return samples;
}

/// The clips in the memory of the GPU, and a place for their mels.
class World {
 public:
  World(const device::Platform& platform, const MelOptions& options, MelType type)
      : stream_(platform, device::cuda(0)),
        memory_(platform, device::cuda(0)),
        frames_(static_cast<int>(mel_frames(options, kSamples))),
        type_(type) {
    std::vector<int64_t> offsets(kClips);
    for (size_t i = 0; i < offsets.size(); ++i)
      offsets[i] = static_cast<int64_t>(i) * kSamples;
    samples_ = upload(samples_of_all());
    offsets_ = upload(offsets);
    lengths_ = upload(std::vector<int32_t>(kClips, static_cast<int32_t>(kSamples)));
    mels_ = device::Buffer(output_bytes(options.n_mels), memory_, stream_);
  }

  MelInput input() const {
    return {samples_.data(), SampleType::pcm16, offsets_.as<int64_t>().data(),
            lengths_.as<int32_t>().data(), kClips};
  }
  MelOutput output() const { return {mels_.data(), type_, frames_, {}}; }

  size_t output_bytes(int n_mels) const {
    const size_t each = type_ == MelType::float32 ? 4 : 2;
    return each * kClips * static_cast<size_t>(n_mels) * static_cast<size_t>(frames_);
  }
  size_t bytes(int n_mels) const { return samples_.bytes() + output_bytes(n_mels); }

  const device::Stream& stream() const { return stream_; }
  device::PlainResource& memory() { return memory_; }

 private:
  template <typename T>
  device::Buffer upload(const std::vector<T>& values) {
    return device::upload<T>(values, memory_, stream_);
  }

  device::Stream stream_;
  device::PlainResource memory_;
  int frames_;
  MelType type_;
  device::Buffer samples_;
  device::Buffer offsets_;
  device::Buffer lengths_;
  device::Buffer mels_;
};

void mel_cuda(benchmark::State& state, MelKernel kernel, MelType type, const MelOptions& options) {
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) return state.SkipWithError(platform.cuda_absence().c_str());
  World world(platform, options, type);
  const MelCuda mel(options, world.memory(), world.stream(), kernel);
  time_on(state, world.stream(), [&] { mel.apply(world.input(), world.output(), world.stream()); });
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(world.bytes(options.n_mels)));
  state.counters["real_time_factor"] =
      benchmark::Counter(double{kClips} * kSeconds, benchmark::Counter::kIsIterationInvariantRate);
}

/// As many bytes read and written as one pass over the clips' samples and mels.
void memory_limit(benchmark::State& state) {
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) return state.SkipWithError(platform.cuda_absence().c_str());
  World world(platform, MelOptions{}, MelType::float32);
  const size_t bytes = world.bytes(MelOptions{}.n_mels) / 2;
  const device::Buffer from(bytes, world.memory(), world.stream());
  const device::Buffer to(bytes, world.memory(), world.stream());
  time_on(state, world.stream(),
          [&] { device::copy(to.location(), from.location(), bytes, world.stream()); });
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(2 * bytes));
}

/// 32 clips of 10 s from their mels, 32 iterations.
void griffin_lim_cuda(benchmark::State& state) {
  constexpr int kBatch = 32;
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) return state.SkipWithError(platform.cuda_absence().c_str());
  World world(platform, MelOptions{}, MelType::float32);
  const int frames = world.output().frames;
  const MelCuda mel(MelOptions{}, world.memory(), world.stream());
  mel.apply(world.input(), world.output(), world.stream());
  const GriffinLimCuda back(MelOptions{}, kBatch, frames, world.memory(), world.stream());
  const device::Buffer samples(sizeof(float) * kBatch * static_cast<size_t>(back.stft().samples()),
                               world.memory(), world.stream());
  time_on(state, world.stream(), [&] {
    back.apply(static_cast<const float*>(world.output().data), {}, samples.as<float>().data(),
               world.stream());
  });
  state.counters["real_time_factor"] =
      benchmark::Counter(double{kBatch} * kSeconds, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(griffin_lim_cuda)->UseManualTime()->Unit(benchmark::kMillisecond);

MelOptions large() {
  MelOptions options = mel_preset("fullband");
  options.n_fft = 2048;
  options.win_length = 2048;
  options.hop_length = 512;
  options.n_mels = 128;
  return options;
}

BENCHMARK(memory_limit)
    ->Name("mel_cuda/memory_limit")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

#define SEDA_MEL_ROW(name, ...) \
  BENCHMARK_CAPTURE(mel_cuda, name, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)

SEDA_MEL_ROW(warp_float32, MelKernel::warp, MelType::float32, MelOptions{});
SEDA_MEL_ROW(warp_bfloat16, MelKernel::warp, MelType::bfloat16, MelOptions{});
SEDA_MEL_ROW(warp_fullband, MelKernel::warp, MelType::float32, mel_preset("fullband"));
SEDA_MEL_ROW(block_float32, MelKernel::block, MelType::float32, MelOptions{});
SEDA_MEL_ROW(cufft_float32, MelKernel::cufft, MelType::float32, MelOptions{});
SEDA_MEL_ROW(block_2048, MelKernel::block, MelType::float32, large());
SEDA_MEL_ROW(cufft_2048, MelKernel::cufft, MelType::float32, large());

}  // namespace
}  // namespace seda::audio
