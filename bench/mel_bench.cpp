// SPDX-License-Identifier: Apache-2.0
// Row 4 of bench/README.md, beside torchaudio and librosa (mel_peers.py).
//
// 16-bit samples to log-mel on one core, for each instruction set: clips of 10 s at 22.05 kHz,
// preset hifigan (1024 / 256 / 80). And the way back by Griffin-Lim with 32 iterations. Beside them
// what the core can do at most, in fused multiply-adds.
//
// Counters: real_time_factor, seconds of sound in a second; flops; items, which are frames.
#include <cmath>
#include <string>
#include <vector>

#include "bench/support/fma_peak.h"
#include <benchmark/benchmark.h>

#include "seda/audio/detail/simd_levels.h"
#include "seda/audio/griffin_lim_cpu.h"
#include "seda/audio/mel_cpu.h"
#include "seda/audio/mel_tables.h"
#include "seda/base/random.h"

namespace seda::audio {
namespace {

constexpr size_t kSeconds = 10;

std::vector<int16_t> noise(size_t samples) {
  Random random(1);
  std::vector<int16_t> clip(samples);
  for (int16_t& sample : clip)
    sample = static_cast<int16_t>(static_cast<int>(random.below(20000)) - 10000);
  return clip;
}

/// Additions and multiplications of a frame: 2.5 · N · log2 N for the real transform (the usual
/// count, whatever is really done), N for the window, 4 for each bin's magnitude, 2 for each
/// weight, 25 for each logarithm.
double operations(const MelOptions& options) {
  double weights = 0;
  double bins = 0;
  for (const MelBand& band : mel_bands(options)) {
    weights += static_cast<double>(band.weights.size());
    bins = std::max(bins, band.first + static_cast<double>(band.weights.size()));
  }
  const double n = options.n_fft;
  return 2.5 * n * std::log2(n) + n + 4 * bins + 2 * weights + 25.0 * options.n_mels;
}

void count_clips(benchmark::State& state, size_t frames) {
  const auto clips = static_cast<double>(state.iterations());
  state.counters["real_time_factor"] =
      benchmark::Counter(clips * kSeconds, benchmark::Counter::kIsRate);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(frames));
}

void mel_cpu(benchmark::State& state, const std::string& level) {
  const detail::ForceSimdLevel force(level);
  const MelCpu plan(mel_preset("hifigan"));
  MelCpu::Workspace workspace(plan);
  const auto clip = noise(kSeconds * 22050);
  const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(clip.size())));
  std::vector<float> mel(80 * frames);
  for ([[maybe_unused]] auto _ : state) {
    plan.apply(std::span<const int16_t>(clip), workspace, {mel.data(), frames, frames});
    benchmark::DoNotOptimize(mel.data());
  }
  count_clips(state, frames);
  const double all = static_cast<double>(state.iterations()) * static_cast<double>(frames);
  state.counters["flops"] =
      benchmark::Counter(all * operations(plan.options()), benchmark::Counter::kIsRate);
}

void griffin_lim_cpu(benchmark::State& state, const std::string& level) {
  const detail::ForceSimdLevel force(level);
  const GriffinLimCpu plan(mel_preset("hifigan"));
  const auto frames = static_cast<size_t>(mel_frames(plan.options(), kSeconds * 22050));
  std::vector<float> mel(80 * frames, -4.0F);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(plan.apply({mel.data(), frames, frames}, {.iterations = 32}));
  count_clips(state, frames);
}

/// What the core could do at most.
void fma_peak(benchmark::State& state, const std::string& level) {
  const detail::ForceSimdLevel force(level);
  double operations = 0;
  for ([[maybe_unused]] auto _ : state)
    operations += bench::run_fused_operations(10000);
  state.counters["flops"] = benchmark::Counter(operations, benchmark::Counter::kIsRate);
}

using Measure = void (*)(benchmark::State&, const std::string&);

void add(const std::string& name, Measure measure, const std::string& level) {
  benchmark::RegisterBenchmark(name.c_str(), measure, level)->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace seda::audio

int main(int count, char** arguments) {
  using namespace seda::audio;
  const auto levels = detail::simd_levels();
  add("mel_cpu/widest", mel_cpu, levels.front());
  add("griffin_lim_cpu/widest", griffin_lim_cpu, levels.front());
  for (const std::string& level : levels) {
    add("mel_cpu/" + level, mel_cpu, level);
    add("fma_peak/" + level, fma_peak, level);
    add("griffin_lim_cpu/" + level, griffin_lim_cpu, level);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
