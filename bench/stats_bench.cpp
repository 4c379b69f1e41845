// SPDX-License-Identifier: Apache-2.0
// What a sample costs.

#include <vector>

#include <benchmark/benchmark.h>

#include "seda/base/random.h"
#include "seda/base/stats.h"

namespace seda {
namespace {

/// Waiting times over a few powers of two, as a stage sees them.
std::vector<double> samples() {
  Random random(1);
  std::vector<double> made(4096);
  for (double& sample : made)
    sample = random.uniform(0.001, 0.02);
  return made;
}

void statistics_add(benchmark::State& state) {
  const auto values = samples();
  Statistics statistics;
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    statistics.add(values[i++ % values.size()]);
  benchmark::DoNotOptimize(statistics.mean());
}
BENCHMARK(statistics_add);

}  // namespace
}  // namespace seda
