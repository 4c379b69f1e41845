// SPDX-License-Identifier: Apache-2.0
#include "seda/device/system_monitor.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "seda/device/detail/rate.h"

namespace seda::device {
namespace {

using detail::rate;

/// Stand on other block devices or on memory: counting them would count their bytes twice.
constexpr std::array<std::string_view, 6> kLayered = {"loop", "ram", "zram", "dm-", "md", "nbd"};

void add_cpu(const CpuTicks& before, const CpuTicks& now, SystemSample& sample) {
  const auto total = static_cast<double>(now.total()) - static_cast<double>(before.total());
  if (total <= 0) return;
  sample.cpu = rate(before.busy, now.busy, total);
  sample.waiting_for_io = rate(before.waiting_for_io, now.waiting_for_io, total);
}

double busy_between(const DiskCounters& before, const DiskCounters& now, double seconds) {
  return std::min(1.0, rate(before.busy_ms, now.busy_ms, seconds) * 1e-3);
}

}  // namespace

SystemMonitor::SystemMonitor(SystemMonitorOptions options, const Clock* clock)
    : options_(std::move(options)), clock_(clock), last_(look()) {}

SystemSample SystemMonitor::sample() {
  Look now = look();
  SystemSample sample;
  const double seconds = static_cast<double>(now.time_ns - last_.time_ns) * 1e-9;
  if (last_.cpu && now.cpu) add_cpu(*last_.cpu, *now.cpu, sample);
  if (const auto memory = parse_memory_info(read_text(options_.proc / "meminfo"))) {
    sample.memory_total_bytes = memory->total_bytes;
    sample.memory_available_bytes = memory->available_bytes;
  }
  for (const DiskCounters& disk : now.disks) {
    const auto before = std::ranges::find(last_.disks, disk.name, &DiskCounters::name);
    if (before != last_.disks.end())
      sample.disk_busy.push_back(busy_between(*before, disk, seconds));
  }
  last_ = std::move(now);
  return sample;
}

SystemMonitor::Look SystemMonitor::look() const {
  Look look{.time_ns = clock_ == nullptr ? steady_clock_.now_ns() : clock_->now_ns(),
            .cpu = parse_cpu_ticks(read_text(options_.proc / "stat")),
            .disks = parse_disk_counters(read_text(options_.proc / "diskstats"))};
  std::erase_if(look.disks, [this](const DiskCounters& disk) { return !is_whole_disk(disk.name); });
  return look;
}

bool SystemMonitor::is_whole_disk(const std::string& name) const {
  const bool layered = std::ranges::any_of(
      kLayered, [&](std::string_view prefix) { return name.starts_with(prefix); });
  std::error_code ignored;
  return !layered && std::filesystem::exists(options_.disks / name, ignored);
}

}  // namespace seda::device
