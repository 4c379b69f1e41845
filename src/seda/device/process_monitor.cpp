// SPDX-License-Identifier: Apache-2.0
#include "seda/device/process_monitor.h"

#include <unistd.h>

#include "seda/device/detail/rate.h"

namespace seda::device {
namespace {

using detail::rate;

double ticks_per_second() {
  return static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

ProcessMonitor::ProcessMonitor(const ProcessMonitorOptions& options, const Clock* clock)
    : folder_(options.proc /
              std::to_string(options.process_id == 0 ? getpid() : options.process_id)),
      clock_(clock),
      last_(look()) {}

ProcessSample ProcessMonitor::sample() {
  const auto now = look();
  // An id may be given to another process; its start tells them apart.
  const bool same = now && last_ && now->stat.start_ticks == last_->stat.start_ticks;
  if (!same) {
    last_.reset();
    return {};
  }
  ProcessSample sample = compare(*last_, *now);
  last_ = now;
  return sample;
}

std::optional<ProcessMonitor::Look> ProcessMonitor::look() const {
  const auto stat = parse_process_stat(read_text(folder_ / "stat"));
  if (!stat || stat->state == 'Z' || stat->state == 'X') return std::nullopt;
  return Look{.time_ns = clock_ == nullptr ? steady_clock_.now_ns() : clock_->now_ns(),
              .stat = *stat,
              .io = parse_process_io(read_text(folder_ / "io")),
              .core_wait_ns = parse_core_wait_ns(read_text(folder_ / "schedstat"))};
}

ProcessSample ProcessMonitor::compare(const Look& before, const Look& now) const {
  ProcessSample sample;
  sample.alive = true;
  sample.seconds = static_cast<double>(now.time_ns - before.time_ns) * 1e-9;
  sample.threads = now.stat.threads;
  sample.in_disk_wait = now.stat.state == 'D';
  sample.resident_bytes = now.stat.resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  sample.cpu = rate(before.stat.user_ticks + before.stat.system_ticks,
                    now.stat.user_ticks + now.stat.system_ticks, sample.seconds) /
               ticks_per_second();
  sample.cpu_seconds =
      static_cast<double>(now.stat.user_ticks + now.stat.system_ticks) / ticks_per_second();
  sample.major_faults_per_s = rate(before.stat.major_faults, now.stat.major_faults, sample.seconds);
  if (now.io) sample.read_bytes = now.io->read_bytes;
  if (before.io && now.io) {
    sample.read_bytes_per_s = rate(before.io->read_bytes, now.io->read_bytes, sample.seconds);
    sample.written_bytes_per_s = rate(before.io->write_bytes, now.io->write_bytes, sample.seconds);
    sample.called_bytes_per_s = rate(before.io->called_bytes, now.io->called_bytes, sample.seconds);
  }
  if (before.core_wait_ns && now.core_wait_ns)
    sample.core_wait = rate(*before.core_wait_ns, *now.core_wait_ns, sample.seconds) * 1e-9;
  return sample;
}

}  // namespace seda::device
