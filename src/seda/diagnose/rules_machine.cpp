// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/units.h"
#include "seda/diagnose/evidence.h"
#include "seda/diagnose/rules.h"

namespace seda::diagnose::rules {
namespace {

constexpr double kContended = 0.3;     // of our cores that others use, of the time we want one
constexpr double kFreeShare = 0.05;    // of the memory: below, the system drops what it will need
constexpr double kManyFaults = 20;     // a second, each waiting for storage
constexpr double kThrottled = 0.5;     // of the samples
constexpr double kSlowClock = 0.9;     // of the highest
constexpr size_t kEnoughSamples = 10;  // fewer may be chance

Remedy advice(std::string words) {
  return {std::move(words)};
}

}  // namespace

std::optional<Verdict> no_gpu(const Situation& situation, const Figures&) {
  if (situation.unusable_gpu.empty()) return std::nullopt;
  return Verdict{
      Cause::no_gpu,
      {"a GPU is in this machine, but both roles run on the CPU", situation.unusable_gpu},
      {advice("make the GPU usable: " + situation.unusable_gpu)}};
}

std::optional<Verdict> cpu_contention(const Situation& situation, const Figures& figures) {
  const MachineUse& machine = situation.machine;
  if (!figures.starved() || figures.cores_idle()) return std::nullopt;
  if (machine.other_cores < kContended * machine.usable_cores ||
      figures.core_wait_share() < kContended) {
    return std::nullopt;
  }
  return Verdict{Cause::cpu_contention,
                 {fmt::format("workers had no core in {} of their work",
                              format_percent(figures.core_wait_share())),
                  fmt::format("other processes use {:.1f} cores, this one {:.1f} of the {} it may "
                              "use, and {:.1f} are idle",
                              machine.other_cores, machine.process_cores, machine.usable_cores,
                              machine.idle_cores),
                  waiting(situation, figures)},
                 {advice("end the other processes, or let 'seda tune' choose data.num_workers")}};
}

std::optional<Verdict> memory_pressure(const Situation& situation, const Figures& figures) {
  const MachineUse& machine = situation.machine;
  if (!figures.starved() || !machine.free_bytes || !machine.total_bytes) return std::nullopt;
  const auto free = static_cast<double>(*machine.free_bytes);
  if (free > kFreeShare * static_cast<double>(*machine.total_bytes)) return std::nullopt;
  if (machine.major_faults_per_s < kManyFaults) return std::nullopt;
  return Verdict{
      Cause::memory_pressure,
      {fmt::format("{} of {} memory can be had, and {:.0f} pages a second had to come back from "
                   "storage",
                   format_bytes(*machine.free_bytes), format_bytes(*machine.total_bytes),
                   machine.major_faults_per_s),
       waiting(situation, figures)},
      {advice("end what uses the memory, or lower data.prefetch_buffer_size")}};
}

std::optional<Verdict> gpu_throttled(const Situation& situation, const Figures&) {
  if (!situation.gpu || situation.gpu->samples < kEnoughSamples) return std::nullopt;
  const GpuUse& gpu = *situation.gpu;
  if (gpu.throttled < kThrottled || gpu.clock > kSlowClock) return std::nullopt;
  return Verdict{
      Cause::gpu_throttled,
      {fmt::format("the GPU met a limit in {} of {} samples: {}", format_percent(gpu.throttled),
                   gpu.samples, fmt::join(gpu.reasons, ", ")),
       fmt::format("its clock was at {} of the highest", format_percent(gpu.clock))},
      {advice("look at cooling and at the power limit (nvidia-smi -q -d "
              "PERFORMANCE,POWER)")}};
}

}  // namespace seda::diagnose::rules
