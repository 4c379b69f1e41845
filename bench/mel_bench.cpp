// SPDX-License-Identifier: Apache-2.0
//
// 16-bit samples to log-mel on one core, for each instruction set: clips of 10 s at 22.05 kHz,
// preset hifigan (1024 / 256 / 80).
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "seda/audio/detail/simd_levels.h"
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
    sample = static_cast<int16_t>(random.below(20000)) - 10000;
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
  const auto clips = static_cast<double>(state.iterations());
  state.counters["real_time"] = benchmark::Counter(clips * kSeconds, benchmark::Counter::kIsRate);
  state.counters["flops"] =
      benchmark::Counter(clips * static_cast<double>(frames) * operations(plan.options()),
                         benchmark::Counter::kIsRate);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(frames));
}

}  // namespace
}  // namespace seda::audio

int main(int count, char** arguments) {
  for (const std::string& level : seda::audio::detail::simd_levels()) {
    benchmark::RegisterBenchmark(("mel_cpu/" + level).c_str(), seda::audio::mel_cpu, level)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
