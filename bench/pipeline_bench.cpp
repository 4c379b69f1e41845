// SPDX-License-Identifier: Apache-2.0
// What an item costs between two stages. In the rows with two threads, "Time" is the wall time for
// an item that is handed from one to the other.

#include <cstdint>
#include <optional>
#include <thread>

#include <benchmark/benchmark.h>

#include "seda/base/clock.h"
#include "seda/device/platform.h"
#include "seda/pipeline/bounded_queue.h"
#include "seda/pipeline/ordered_queue.h"
#include "seda/pipeline/slot_ring.h"
#include "seda/pipeline/stage_statistics.h"

namespace seda::pipeline {
namespace {

void queue_put_get(benchmark::State& state) {
  const SteadyClock clock;
  BoundedQueue<int> queue(8, clock);
  for ([[maybe_unused]] auto _ : state) {
    queue.put(1);
    benchmark::DoNotOptimize(queue.get());
  }
}
BENCHMARK(queue_put_get);

void queue_between_threads(benchmark::State& state) {
  const SteadyClock clock;
  BoundedQueue<int> queue(64, clock);
  const std::jthread producer([&] {
    while (queue.put(1)) {
    }
  });
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(queue.get());
  queue.close();
}
BENCHMARK(queue_between_threads)->UseRealTime();

void ordered_put_get(benchmark::State& state) {
  const SteadyClock clock;
  OrderedQueue<int> queue(8, clock);
  uint64_t number = 0;
  for ([[maybe_unused]] auto _ : state) {
    queue.put(number++, 1);
    benchmark::DoNotOptimize(queue.get());
  }
}
BENCHMARK(ordered_put_get);

void stage_activity(benchmark::State& state) {
  const SteadyClock clock;
  StageRecorder recorder(clock);
  for ([[maybe_unused]] auto _ : state)
    recorder.enter(Activity::busy);
}
BENCHMARK(stage_activity);

/// acquire, publish, next and release, by one thread.
void turn_ring(benchmark::State& state, device::Device device) {
  const device::Platform platform;
  if (!platform.has(device)) {
    state.SkipWithError(platform.cuda_absence().c_str());
    return;
  }
  const SteadyClock clock;
  const device::Stream producer(platform, device);
  const device::Stream consumer(platform, device);
  SlotRing<int> ring({0, 1, 2}, producer, consumer, clock);
  for ([[maybe_unused]] auto _ : state) {
    if (auto slot = ring.acquire(producer)) slot->publish();
    if (auto slot = ring.next(consumer)) slot->release();
  }
}
void ring_turn_cpu(benchmark::State& state) {
  turn_ring(state, device::kCpu);
}
BENCHMARK(ring_turn_cpu);
void ring_turn_cuda(benchmark::State& state) {
  turn_ring(state, device::cuda(0));
}
BENCHMARK(ring_turn_cuda);

void ring_between_threads(benchmark::State& state) {
  const device::Platform platform;
  const device::StreamView stream = platform.default_stream(device::kCpu);
  const SteadyClock clock;
  SlotRing<int> ring({0, 1, 2}, stream, stream, clock);
  const std::jthread producer([&] {
    while (auto slot = ring.acquire(stream))
      slot->publish();
  });
  for ([[maybe_unused]] auto _ : state) {
    if (auto slot = ring.next(stream)) slot->release();
  }
  ring.close();
}
BENCHMARK(ring_between_threads)->UseRealTime();

}  // namespace
}  // namespace seda::pipeline
