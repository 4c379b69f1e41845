// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/run_traces.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

namespace seda::diagnose {
namespace {

constexpr double kBetweenLooks = 0.05;  // seconds

double all_cores() {
  return static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

std::vector<WatchedGpu> watched_gpus(const device::Monitor& monitor,
                                     const device::Platform& platform, const feed::Roles& roles) {
  std::vector<WatchedGpu> out;
  const auto add = [&](const char* role, device::Device device) {
    if (!device.is_cuda() || monitor.gpu_count() == 0) return;
    const auto gpu = find_gpu(monitor, platform.properties(device).pci_bus_id);
    if (gpu) out.push_back({role, *gpu});
  };
  add("model", roles.model);
  if (roles.data != roles.model) add("data", roles.data);
  return out;
}

TraceCollector::TraceCollector(const feed::Loader& loader, device::Monitor& monitor,
                               std::vector<WatchedGpu> gpus)
    : loader_(loader), monitor_(monitor), gpus_(std::move(gpus)) {
  for (const WatchedGpu& gpu : gpus_) {
    infos_.push_back(monitor_.info(gpu.index));
    out_.gpus.push_back({gpu.role, {}});
  }
}

void TraceCollector::look() {
  if (!time_) return begin();
  const double at_s = time_->seconds();
  if (at_s < due_s_) return;
  due_s_ = at_s + kBetweenLooks;
  look_at_cores(at_s);
  look_at_batches(at_s);
  look_at_gpus(at_s);
}

void TraceCollector::begin() {
  time_.emplace();
  due_s_ = kBetweenLooks;
  process_.sample();
  system_.sample();
  look_at_batches(0);
}

void TraceCollector::look_at_cores(double at_s) {
  const double own = process_.sample().cpu;
  const auto all = system_.sample().cpu;
  out_.process_cores.push_back({at_s, own});
  if (all) out_.other_cores.push_back({at_s, std::max(0.0, *all * all_cores() - own)});
}

void TraceCollector::look_at_batches(double at_s) {
  const feed::LoaderStatistics now = loader_.statistics();
  const auto ready = [](const pipeline::SlotStatistics& slots) {
    return static_cast<double>(slots.count(pipeline::SlotState::ready));
  };
  out_.ready.push_back({at_s, ready(now.slots)});
  const bool uploads = std::ranges::any_of(
      now.stages, [](const feed::LoaderStage& stage) { return stage.name == "upload"; });
  if (uploads) out_.host_ready.push_back({at_s, ready(now.host)});
}

void TraceCollector::look_at_gpus(double at_s) {
  for (size_t i = 0; i < gpus_.size(); ++i) {
    const device::GpuSample sample = monitor_.sample(gpus_[i].index);
    if (sample.utilization) out_.gpus[i].busy.push_back({at_s, *sample.utilization});
    if (gpus_[i].role == "model") count(sample, infos_[i]);
  }
}

void TraceCollector::count(const device::GpuSample& sample, const device::GpuInfo& info) {
  GpuUse& use = out_.model_gpu;
  ++use.samples;
  busy_sum_ += sample.utilization.value_or(0);
  const bool known = sample.sm_clock_mhz && info.sm_clock_max_mhz && *info.sm_clock_max_mhz > 0;
  clock_sum_ += known ? static_cast<double>(*sample.sm_clock_mhz) / *info.sm_clock_max_mhz : 1;
  if (!sample.throttled.value_or(false)) return;
  ++throttled_;
  for (const std::string& reason : sample.throttle_reasons.value_or(std::vector<std::string>{})) {
    if (std::ranges::find(use.reasons, reason) == use.reasons.end()) use.reasons.push_back(reason);
  }
}

RunTraces TraceCollector::take() {
  GpuUse& use = out_.model_gpu;
  if (use.samples > 0) {
    const auto samples = static_cast<double>(use.samples);
    use.busy = busy_sum_ / samples;
    use.clock = clock_sum_ / samples;
    use.throttled = static_cast<double>(throttled_) / samples;
  }
  return std::exchange(out_, {});
}

}  // namespace seda::diagnose
