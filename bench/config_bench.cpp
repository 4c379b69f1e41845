// SPDX-License-Identifier: Apache-2.0
//
// What the configuration costs at the start of every command.
#include <fstream>
#include <iterator>
#include <string>

#include <benchmark/benchmark.h>

#include "seda/config/config.h"
#include "seda/config/editor.h"

namespace {

using namespace seda::config;

/// The sample with every key; run from the repository's root.
std::string sample() {
  std::ifstream file("configs/config.yaml", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void defaults(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(Config());
}
BENCHMARK(defaults);

void load_every_key(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(Config::load("configs/config.yaml"));
}
BENCHMARK(load_every_key)->Unit(benchmark::kMillisecond);

void edit_one_key(benchmark::State& state) {
  const std::string text = sample();
  for ([[maybe_unused]] auto _ : state) {
    Editor editor(text, "config.yaml");
    editor.set("data.batch_size", int64_t{32});
    benchmark::DoNotOptimize(editor.text());
  }
}
BENCHMARK(edit_one_key)->Unit(benchmark::kMillisecond);

}  // namespace
