// SPDX-License-Identifier: Apache-2.0
// What a stage's counters cost, and a slot between two stages. "ring_between_threads" is the wall
// time for a slot that is handed from one thread to the other.

#include <atomic>
#include <cstdint>
#include <thread>

#include <benchmark/benchmark.h>

#include "seda/base/clock.h"
#include "seda/device/platform.h"
#include "seda/pipeline/slot_ring.h"
#include "seda/pipeline/stage_statistics.h"

namespace seda::pipeline {
namespace {

void stage_activity(benchmark::State& state) {
  const SteadyClock clock;
  StageRecorder recorder(clock);
  for ([[maybe_unused]] auto _ : state)
    recorder.enter(Activity::busy);
}
BENCHMARK(stage_activity);

/// Workers that count at once. "CPU" is what it costs the thread that counts.
void stage_count(benchmark::State& state) {
  static const SteadyClock clock;
  static StageRecorder recorder(clock);
  for ([[maybe_unused]] auto _ : state)
    recorder.add(1);
}
BENCHMARK(stage_count)->Threads(1)->Threads(4);

/// The least there is to count items and bytes among threads: two shared atomics.
void peer_atomic_count(benchmark::State& state) {
  static std::atomic<uint64_t> count{0};
  static std::atomic<uint64_t> bytes{0};
  for ([[maybe_unused]] auto _ : state) {
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(1, std::memory_order_relaxed);
  }
}
BENCHMARK(peer_atomic_count)->Threads(1)->Threads(4);

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
