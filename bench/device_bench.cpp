// SPDX-License-Identifier: Apache-2.0
// What a buffer costs, how fast bytes reach the GPU, and what a look at the machine costs. The CUDA
// cases say why they are left out where there is no GPU.
#include <benchmark/benchmark.h>

#include "seda/device/buffer.h"
#include "seda/device/copy.h"
#include "seda/device/monitor.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/device/process_monitor.h"
#include "seda/device/system_monitor.h"

namespace seda::device {
namespace {

bool skip_without(benchmark::State& state, const Platform& platform, Device device) {
  if (platform.has(device)) return false;
  state.SkipWithError(platform.cuda_absence().c_str());
  return true;
}

/// Takes and gives back one buffer of `state.range(0)` bytes after another.
void take_and_give_back(benchmark::State& state, MemoryResource& memory, StreamView stream) {
  const auto bytes = static_cast<size_t>(state.range(0));
  memory.deallocate(memory.allocate(bytes, stream), bytes, stream);
  for ([[maybe_unused]] auto _ : state) {
    void* data = memory.allocate(bytes, stream);
    benchmark::DoNotOptimize(data);
    memory.deallocate(data, bytes, stream);
  }
}

void allocate_plain(benchmark::State& state, Device device) {
  const Platform platform;
  if (skip_without(state, platform, device)) return;
  const Stream stream(platform, device);
  PlainResource memory(platform, device);
  take_and_give_back(state, memory, stream);
}

BENCHMARK_CAPTURE(allocate_plain, cpu, kCpu)->Arg(4096)->Arg(1 << 20)->Arg(16 << 20);
BENCHMARK_CAPTURE(allocate_plain, cuda, cuda(0))->Arg(4096)->Arg(1 << 20)->Arg(16 << 20);

/// Host to GPU, timed by events on the copying stream.
void upload(benchmark::State& state, bool pinned) {
  const Platform platform;
  if (skip_without(state, platform, cuda(0))) return;
  const auto bytes = static_cast<size_t>(state.range(0));
  const Stream stream(platform, cuda(0));
  PlainResource memory(platform, cuda(0));
  PlainResource pageable_memory(platform, kCpu);
  PinnedResource pinned_memory(platform, cuda(0));
  MemoryResource& host_memory = pinned ? static_cast<MemoryResource&>(pinned_memory)
                                       : static_cast<MemoryResource&>(pageable_memory);
  const Buffer to(bytes, memory, stream);
  const Buffer from(bytes, host_memory, platform.default_stream(kCpu));
  fill(from.location(), std::byte{1}, bytes, platform.default_stream(kCpu));
  Event begin(stream, EventTiming::on);
  Event end(stream, EventTiming::on);
  for ([[maybe_unused]] auto _ : state) {
    begin.record(stream);
    copy(to.location(), from.location(), bytes, stream);
    end.record(stream);
    end.synchronize();
    state.SetIterationTime(elapsed_ms(begin, end) * 1e-3);
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(upload, pinned, true)->Arg(1 << 20)->Arg(64 << 20)->UseManualTime();
BENCHMARK_CAPTURE(upload, pageable, false)->Arg(1 << 20)->Arg(64 << 20)->UseManualTime();

void sample_gpu(benchmark::State& state) {
  const auto monitor = make_monitor();
  if (monitor->gpu_count() == 0) {
    state.SkipWithError(monitor->absence().c_str());
    return;
  }
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(monitor->sample(0));
}
BENCHMARK(sample_gpu);

void sample_process(benchmark::State& state) {
  ProcessMonitor monitor;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(monitor.sample());
}
BENCHMARK(sample_process);

void sample_system(benchmark::State& state) {
  SystemMonitor monitor;
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(monitor.sample());
}
BENCHMARK(sample_system);

}  // namespace
}  // namespace seda::device
