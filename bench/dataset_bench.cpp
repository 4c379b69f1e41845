// SPDX-License-Identifier: Apache-2.0
//
// What it takes to read a corpus' metadata: a million lines should take about a second.
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "seda/dataset/metadata.h"

namespace {

using namespace seda::dataset;

constexpr size_t kLines = 1'000'000;

std::string million_rows() {
  std::string bytes;
  for (size_t i = 0; i < kLines; ++i) {
    bytes += fmt::format(
        "LJ{:06}|Printing, in the only sense with which we are at present concerned.|\n", i);
  }
  return bytes;
}

std::string million_objects() {
  std::string bytes;
  for (size_t i = 0; i < kLines; ++i) {
    bytes += fmt::format(
        "{{\"audio_filepath\": \"wavs/{:06}.wav\", \"duration\": 4.25, \"text\": \"in the only "
        "sense with which we are at present concerned.\"}}\n",
        i);
  }
  return bytes;
}

void parse_million_rows(benchmark::State& state) {
  const std::string bytes = million_rows();
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        parse_metadata(bytes, Format::ljspeech, "m.csv", static_cast<int>(state.range(0))));
  }
}
BENCHMARK(parse_million_rows)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void parse_million_objects(benchmark::State& state) {
  const std::string bytes = million_objects();
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(
        parse_metadata(bytes, Format::json_lines, "m.jsonl", static_cast<int>(state.range(0))));
  }
}
BENCHMARK(parse_million_objects)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
