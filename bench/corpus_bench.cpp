// SPDX-License-Identifier: Apache-2.0
//
// How many times faster than real time each voice speaks on one core, and what the rest of a clip
// costs beside it.
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "seda/audio/resample.h"
#include "seda/corpus/sentences.h"
#include "seda/corpus/voice.h"

namespace {

using namespace seda;

void speak(benchmark::State& state, const char* language, const char* name) {
  const auto sentences = corpus::compose_sentences(language, 64, 0);
  const auto voices = corpus::make_voices(language, {name});
  double sound_s = 0;
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const auto speech = voices[0]->speak(sentences[i % sentences.size()], i).value();
    ++i;
    sound_s += static_cast<double>(speech.samples.size()) / speech.sample_rate;
  }
  state.counters["real_time_factor"] = benchmark::Counter(sound_s, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(speak, slt, "en", "slt")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speak, rms, "en", "rms")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speak, awb, "en", "awb")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speak, kal16, "en", "kal16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(speak, espeak_fa, "fa", "fa")->Unit(benchmark::kMillisecond);

void resample_five_seconds(benchmark::State& state) {
  audio::Resampler resampler(16000, 22050);
  const std::vector<float> sound(80000, 0.25F);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(resampler.apply(sound).data());
  state.counters["real_time_factor"] =
      benchmark::Counter(5.0, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(resample_five_seconds)->Unit(benchmark::kMillisecond);

void compose(benchmark::State& state, const char* language) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(corpus::compose_sentences(language, 1000, 0));
}
BENCHMARK_CAPTURE(compose, en, "en")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compose, fa, "fa")->Unit(benchmark::kMillisecond);

}  // namespace
