// SPDX-License-Identifier: Apache-2.0
// Row 15 of bench/README.md, beside published times of Cython and of a GPU.
//
// The best monotonic paths of 32 clips, on the CPU and on a GPU; the latter timed by events, with
// and without the path beside the durations. Says why it is left out where there is no GPU.
#include <vector>

#include "bench/support/gpu_time.h"
#include <benchmark/benchmark.h>

#include "seda/base/random.h"
#include "seda/device/buffer.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/device/upload.h"
#include "seda/model/align_cpu.h"
#include "seda/model/align_cuda.h"

namespace seda::model {
namespace {

using bench::time_on;

/// Noise; every clip as long as the array.
struct Clips {
  explicit Clips(const AlignShape& of)
      : shape(of),
        values(rows() * static_cast<size_t>(of.frames)),
        token_lengths(static_cast<size_t>(of.batch), of.tokens),
        frame_lengths(static_cast<size_t>(of.batch), of.frames) {
    Random random(1);
    for (float& value : values)
      value = static_cast<float>(random.uniform(-20, 0));
  }

  size_t rows() const {
    return static_cast<size_t>(shape.batch) * static_cast<size_t>(shape.tokens);
  }

  AlignShape shape;
  std::vector<float> values;
  std::vector<int32_t> token_lengths;
  std::vector<int32_t> frame_lengths;
};

AlignShape shape_of(const benchmark::State& state) {
  return {static_cast<int>(state.range(0)), static_cast<int>(state.range(1)),
          static_cast<int>(state.range(2))};
}

void count_bytes(benchmark::State& state, const Clips& clips) {
  const auto bytes = static_cast<int64_t>(clips.values.size() * sizeof(float));
  state.SetBytesProcessed(state.iterations() * bytes);
}

void align_on_cpu(benchmark::State& state, int threads) {
  const Clips clips(shape_of(state));
  std::vector<int32_t> durations(clips.rows());
  const AlignInput input = {clips.values.data(),        clips.token_lengths.data(),
                            clips.frame_lengths.data(), clips.shape.batch,
                            clips.shape.tokens,         clips.shape.frames};
  for ([[maybe_unused]] auto _ : state)
    align_cpu(input, {.durations = durations.data()}, threads);
  count_bytes(state, clips);
}

void align_on_gpu(benchmark::State& state, bool with_path) {
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) return state.SkipWithError(platform.cuda_absence().c_str());
  const device::Stream stream(platform, device::cuda(0));
  device::PlainResource memory(platform, device::cuda(0));
  const Clips clips(shape_of(state));
  const device::Buffer values = device::upload<float>(clips.values, memory, stream);
  const device::Buffer token_lengths = device::upload<int32_t>(clips.token_lengths, memory, stream);
  const device::Buffer frame_lengths = device::upload<int32_t>(clips.frame_lengths, memory, stream);
  const device::Buffer durations(clips.rows() * sizeof(int32_t), memory, stream);
  const device::Buffer path(clips.values.size(), memory, stream);
  const AlignInput input = {values.as<float>().data(),
                            token_lengths.as<int32_t>().data(),
                            frame_lengths.as<int32_t>().data(),
                            clips.shape.batch,
                            clips.shape.tokens,
                            clips.shape.frames};
  const AlignOutput output = {.durations = durations.as<int32_t>().data(),
                              .path = with_path ? path.as<uint8_t>().data() : nullptr};
  const AlignCuda align(clips.shape, memory, stream);
  time_on(state, stream, [&] { align.apply(input, output, stream); });
  count_bytes(state, clips);
}

void shapes(benchmark::internal::Benchmark* row) {
  row->ArgNames({"batch", "tokens", "frames"})
      ->Args({32, 256, 1024})
      ->Args({32, 1024, 1024})
      ->Unit(benchmark::kMillisecond);
}

void align_cpu_alone(benchmark::State& state) {
  align_on_cpu(state, 1);
}
void align_cpu_cores(benchmark::State& state) {
  align_on_cpu(state, 0);
}
void align_cuda(benchmark::State& state) {
  align_on_gpu(state, false);
}
void align_cuda_path(benchmark::State& state) {
  align_on_gpu(state, true);
}

BENCHMARK(align_cpu_alone)->Apply(shapes)->UseRealTime();
BENCHMARK(align_cpu_cores)->Apply(shapes)->UseRealTime();
BENCHMARK(align_cuda)->Apply(shapes)->UseManualTime();
BENCHMARK(align_cuda_path)->Apply(shapes)->UseManualTime();

}  // namespace
}  // namespace seda::model
