// SPDX-License-Identifier: Apache-2.0
// What a sample costs. In the rows with threads, "CPU" is the cost of a sample to the thread that
// adds it, "Time" the wall time over the samples of all threads.

#include <atomic>
#include <vector>

#include <benchmark/benchmark.h>

#include "seda/base/mutex.h"
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

void recorder_add(benchmark::State& state) {
  static StatsRecorder recorder;
  const auto values = samples();
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    recorder.add(values[i++ % values.size()]);
}
BENCHMARK(recorder_add)->Threads(1)->Threads(4);

/// Sixteen recorders in turn, as in a pipeline of that many counters.
void recorder_add_among_sixteen(benchmark::State& state) {
  static std::vector<StatsRecorder> recorders(16);
  const auto values = samples();
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    recorders[i % 16].add(values[i % values.size()]);
    ++i;
  }
}
BENCHMARK(recorder_add_among_sixteen)->Threads(1)->Threads(4);

void recorder_snapshot(benchmark::State& state) {
  StatsRecorder recorder;
  for (const double value : samples())
    recorder.add(value);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(recorder.snapshot());
}
BENCHMARK(recorder_snapshot);

/// The plain way: one lock, every sample kept.
void peer_mutex_vector(benchmark::State& state) {
  static Mutex mutex;
  static std::vector<double> kept;
  const auto values = samples();
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const MutexLock lock(mutex);
    if (kept.size() == (1u << 20)) kept.clear();
    kept.push_back(values[i++ % values.size()]);
  }
}
BENCHMARK(peer_mutex_vector)->Threads(1)->Threads(4);

/// The least there is to count and sum among threads: two shared atomics, no spread, no quantiles.
void peer_atomic_sum(benchmark::State& state) {
  static std::atomic<uint64_t> count{0};
  static std::atomic<double> sum{0};
  const auto values = samples();
  size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    count.fetch_add(1, std::memory_order_relaxed);
    sum.fetch_add(values[i++ % values.size()], std::memory_order_relaxed);
  }
}
BENCHMARK(peer_atomic_sum)->Threads(1)->Threads(4);

}  // namespace
}  // namespace seda
