// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_sample.h"

#include <algorithm>

namespace seda::diagnose {
namespace {

constexpr PointField<GpuPoint> kGpuFields[] = {
    {"utilization", "seda_gpu_utilization_ratio", "Share of time with a kernel running.",
     &GpuPoint::utilization},
    {"sm_activity", "seda_gpu_sm_activity_ratio", "Share of multiprocessors with work.",
     &GpuPoint::sm_activity},
    {"memory_bytes", "seda_gpu_memory_used_bytes", "Memory in use.", &GpuPoint::memory_bytes},
    {"power_w", "seda_gpu_power_watts", "Power drawn.", &GpuPoint::power_w},
    {"sm_clock_mhz", "seda_gpu_sm_clock_hertz", "Clock of the multiprocessors.",
     &GpuPoint::sm_clock_mhz, 1e6},
    {"temperature_c", "seda_gpu_temperature_celsius", "Temperature of the chip.",
     &GpuPoint::temperature_c},
    {"slowed", "seda_gpu_slowed", "1 while heat or hardware takes speed away.", &GpuPoint::slowed},
    {"power_capped", "seda_gpu_power_capped", "1 while the power limit takes speed away.",
     &GpuPoint::power_capped},
    {"pcie_in_bytes_per_s", "seda_gpu_pcie_receive_bytes_per_second", "PCIe traffic into the GPU.",
     &GpuPoint::pcie_in_bytes_per_s},
    {"pcie_out_bytes_per_s", "seda_gpu_pcie_transmit_bytes_per_second",
     "PCIe traffic out of the GPU.", &GpuPoint::pcie_out_bytes_per_s},
};

constexpr PointField<HostPoint> kHostFields[] = {
    {"processes", "seda_process_count", "Processes watched.", &HostPoint::processes},
    {"threads", "seda_process_threads", "Threads of the processes watched.", &HostPoint::threads},
    {"cpu", "seda_process_cpu_cores", "Cores used by the processes watched.", &HostPoint::cpu},
    {"busiest_cpu", "seda_process_busiest_cpu_cores", "Cores used by the busiest process.",
     &HostPoint::busiest_cpu},
    {"first_cpu", "seda_process_first_cpu_cores",
     "Cores used by the main process, that nearest the root.", &HostPoint::first_cpu},
    {"at_full_speed", "seda_process_at_full_speed", "Processes that use a whole core.",
     &HostPoint::at_full_speed},
    {"core_wait", "seda_process_core_wait_cores", "First threads that could run but had no core.",
     &HostPoint::core_wait},
    {"in_disk_wait", "seda_process_in_disk_wait", "Processes that wait for storage.",
     &HostPoint::in_disk_wait},
    {"resident_bytes", "seda_process_resident_memory_bytes", "Memory of the processes watched.",
     &HostPoint::resident_bytes},
    {"read_bytes_per_s", "seda_process_read_bytes_per_second", "Read from storage.",
     &HostPoint::read_bytes_per_s},
    {"written_bytes_per_s", "seda_process_written_bytes_per_second", "Written to storage.",
     &HostPoint::written_bytes_per_s},
    {"called_bytes_per_s", "seda_process_read_call_bytes_per_second",
     "Given by read calls, page cache or not.", &HostPoint::called_bytes_per_s},
    {"major_faults_per_s", "seda_process_major_faults_per_second",
     "Page faults that waited for storage.", &HostPoint::major_faults_per_s},
    {"machine_cpu", "seda_machine_cpu_ratio", "Share of all cores in use.",
     &HostPoint::machine_cpu},
    {"io_wait", "seda_machine_io_wait_ratio", "Share of all cores idle with a disk request open.",
     &HostPoint::io_wait},
    {"disk_busy", "seda_machine_disk_busy_ratio", "Share of time the busiest disk had requests.",
     &HostPoint::disk_busy},
    {"memory_available_bytes", "seda_machine_memory_available_bytes",
     "Memory that can be had without swapping.", &HostPoint::memory_available_bytes},
};

template <typename Point, typename Join>
void join(Point& into, const Point& from, std::span<const PointField<Point>> fields,
          const Join& both) {
  for (const PointField<Point>& field : fields) {
    double& value = into.*field.value;
    const double other = from.*field.value;
    if (!is_known(value)) {
      value = other;
    } else if (is_known(other)) {
      value = both(value, other);
    }
  }
}

template <typename Join>
void join(WatchSample& into, const WatchSample& from, const Join& both) {
  join(into.host, from.host, host_fields(), both);
  into.gpus.resize(std::max(into.gpus.size(), from.gpus.size()));
  for (size_t i = 0; i < from.gpus.size(); ++i)
    join(into.gpus[i], from.gpus[i], gpu_fields(), both);
}

}  // namespace

std::span<const PointField<GpuPoint>> gpu_fields() {
  return kGpuFields;
}

std::span<const PointField<HostPoint>> host_fields() {
  return kHostFields;
}

WatchSample merged(const WatchSample& one, const WatchSample& other) {
  const double all = static_cast<double>(one.count) + static_cast<double>(other.count);
  const double share = one.count / all;
  const auto mean = [share](double a, double b) { return share * a + (1 - share) * b; };
  WatchSample out = one;
  join(out, other, mean);
  out.seconds = mean(one.seconds, other.seconds);
  out.number = std::max(one.number, other.number);
  out.count = one.count + other.count;
  return out;
}

void raise_to(WatchSample& top, const WatchSample& sample) {
  join(top, sample, [](double a, double b) { return std::max(a, b); });
}

}  // namespace seda::diagnose
