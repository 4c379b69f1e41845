// SPDX-License-Identifier: Apache-2.0
// What a span of a trace costs, off and on. One that is on reads the clock twice: `clock` is the
// price of one reading.

#include <memory>

#include <benchmark/benchmark.h>

#include "seda/base/clock.h"
#include "seda/base/trace.h"

namespace seda {
namespace {

constexpr size_t kCapacity = size_t{1} << 24;

void clock(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(now_ns());
}
BENCHMARK(clock);

void span_off(benchmark::State& state) {
  static TraceRecorder trace(0);
  trace.set_enabled(false);
  for ([[maybe_unused]] auto _ : state)
    trace.span("span", 0, 1);
}
BENCHMARK(span_off)->Threads(1)->Threads(4);

/// A recorder for one run of a benchmark, whatever its threads.
class FreshTrace : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    if (state.thread_index() == 0) trace = std::make_unique<TraceRecorder>(kCapacity);
  }
  void TearDown(const benchmark::State& state) override {
    if (state.thread_index() == 0) trace.reset();
  }

  std::unique_ptr<TraceRecorder> trace;
};

BENCHMARK_DEFINE_F(FreshTrace, span_on)(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const int64_t began = now_ns();
    benchmark::ClobberMemory();
    trace->span("span", began, now_ns());
  }
}
BENCHMARK_REGISTER_F(FreshTrace, span_on)->Iterations(2'000'000)->Threads(1)->Threads(4);

/// Times given, as for events of a GPU: what storing costs without the clock.
BENCHMARK_DEFINE_F(FreshTrace, explicit_times)(benchmark::State& state) {
  int64_t time = 0;
  for ([[maybe_unused]] auto _ : state) {
    trace->span("span", time, time + 5);
    time += 10;
  }
}
BENCHMARK_REGISTER_F(FreshTrace, explicit_times)->Iterations(2'000'000)->Threads(1)->Threads(4);

void event_dropped(benchmark::State& state) {
  TraceRecorder trace(0);
  for ([[maybe_unused]] auto _ : state)
    trace.span("span", 0, 1);
}
BENCHMARK(event_dropped);

void write_json(benchmark::State& state) {
  TraceRecorder trace;
  for (int64_t i = 0; i < 100'000; ++i)
    trace.span("span", i * 10, i * 10 + 5);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(trace.to_json());
  state.SetItemsProcessed(state.iterations() * 100'000);
}
BENCHMARK(write_json)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace seda
