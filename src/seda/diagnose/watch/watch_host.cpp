// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_host.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/units.h"

namespace seda::diagnose {
namespace {

/// Means with what follows from them; unknown is as good as zero where it is asked "at least".
struct Host {
  const HostPoint& at;
  const WatchedMachine& machine;
  const GpuPattern& gpu;

  double machine_cores() const { return machine.cores * at.machine_cpu; }
  double other_cores() const {
    return std::max(0.0, machine_cores() - (is_known(at.cpu) ? at.cpu : 0));
  }
  /// Of those that the processes may use.
  double idle_cores() const {
    const double own = machine.usable_cores - (is_known(at.cpu) ? at.cpu : 0);
    return std::clamp(std::min(own, machine.cores - machine_cores()), 0.0,
                      static_cast<double>(machine.usable_cores));
  }
  double io_wait_cores() const { return machine.cores * at.io_wait; }
  double traffic() const {
    return (is_known(at.read_bytes_per_s) ? at.read_bytes_per_s : 0) +
           (is_known(at.written_bytes_per_s) ? at.written_bytes_per_s : 0);
  }
  bool loads_data() const {
    return at.called_bytes_per_s >= kReadBytesPerSecond || traffic() >= kReadBytesPerSecond;
  }
};

std::string bytes_per_s(double rate) {
  return format_bytes(static_cast<uint64_t>(std::max(0.0, rate))) + "/s";
}

std::string cores_text(const Host& host) {
  if (!is_known(host.at.machine_cpu)) return "cores in use are not known";
  if (!is_known(host.at.cpu)) {
    return fmt::format("{:.1f} of the machine's {} cores in use", host.machine_cores(),
                       host.machine.cores);
  }
  return fmt::format("the process used {:.1f} of {} cores, others {:.1f}", host.at.cpu,
                     host.machine.usable_cores, host.other_cores());
}

std::string storage_text(const Host& host) {
  std::vector<std::string> parts;
  if (is_known(host.at.io_wait))
    parts.push_back(fmt::format("{:.1f} cores idle for storage", host.io_wait_cores()));
  if (is_known(host.at.disk_busy))
    parts.push_back(fmt::format("disk busy {:.0f} %", 100 * host.at.disk_busy));
  if (host.at.in_disk_wait >= kDiskWaiters)
    parts.push_back(fmt::format("{:.1f} processes waiting for it", host.at.in_disk_wait));
  if (is_known(host.at.read_bytes_per_s))
    parts.push_back(bytes_per_s(host.at.read_bytes_per_s) + " read");
  if (host.at.written_bytes_per_s >= kReadBytesPerSecond)
    parts.push_back(bytes_per_s(host.at.written_bytes_per_s) + " written");
  if (host.at.major_faults_per_s >= 1)
    parts.push_back(fmt::format("{:.0f} page faults/s from storage", host.at.major_faults_per_s));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string core_wait_text(const Host& host) {
  if (!is_known(host.at.core_wait)) return {};
  return fmt::format("; its first threads waited for a core {:.1f} cores' worth of time",
                     host.at.core_wait);
}

std::optional<Verdict> contention(const Host& host) {
  const bool taken = host.at.machine_cpu >= kMachineFull &&
                     host.other_cores() >= kOthersShare * host.machine.cores;
  // One thread alone would have waited; of others it is not counted.
  const bool alone = host.at.threads <= 1 && is_known(host.at.core_wait);
  const bool wanted = host.at.core_wait >= kCoreWait || (host.at.cpu >= kWantsCores && !alone);
  if (!taken || !wanted) return std::nullopt;
  return Verdict{Cause::cpu_contention,
                 {fmt::format("other processes used {:.1f} of {} cores, and none was left",
                              host.other_cores(), host.machine.cores),
                  cores_text(host) + core_wait_text(host)},
                 {{"stop or move the other processes (top shows them)", ""},
                  {"give this one cores of its own: taskset, or nice the others", ""}}};
}

std::optional<Verdict> own_work(const Host& host) {
  if (!(host.at.cpu >= kOwnCoresFull * host.machine.usable_cores)) return std::nullopt;
  return Verdict{Cause::slow_decode,
                 {fmt::format("its own processes used {:.1f} of its {} cores", host.at.cpu,
                              host.machine.usable_cores),
                  "whether decoding, text or augmentation cannot be seen from outside"},
                 {{"prepare the data ahead and train from a cache (seda prepare)", ""},
                  {"more cores for the loader", ""}}};
}

std::optional<Verdict> storage(const Host& host) {
  const bool waits = host.io_wait_cores() >= kIoWaitCores || host.at.in_disk_wait >= kDiskWaiters ||
                     host.at.major_faults_per_s >= kMajorFaults ||
                     (host.at.disk_busy >= kDiskBusy && host.traffic() >= kReadBytesPerSecond);
  if (!waits) return std::nullopt;
  return Verdict{Cause::slow_storage,
                 {storage_text(host), cores_text(host)},
                 {{"keep the data on a local SSD, or in memory", ""},
                  {"read ahead with more workers, in larger pieces", ""}}};
}

std::optional<Verdict> workers(const Host& host) {
  const bool worker_at_limit = host.at.at_full_speed >= 0.5 && host.at.first_cpu < kOneCore;
  const bool several = host.at.at_full_speed >= 1.5 || host.at.cpu >= kMoreThanOneCore;
  if (host.idle_cores() < kIdleCores || !(worker_at_limit || several)) return std::nullopt;
  return Verdict{
      Cause::too_few_workers,
      {fmt::format("{:.1f} processes were at the limit of their core while {:.1f} cores idled",
                   host.at.at_full_speed, host.idle_cores()),
       cores_text(host)},
      {{"more loader workers", ""}, {"cheaper work for each clip: prepare the data ahead", ""}}};
}

std::optional<Verdict> one_thread(const Host& host) {
  if (!(host.at.first_cpu >= kOneCore) || host.idle_cores() < kIdleCores) return std::nullopt;
  Verdict verdict{
      Cause::unknown,
      {fmt::format("one thread of the main process used {:.2f} cores while {:.1f} cores idled",
                   host.at.first_cpu, host.idle_cores())},
      {}};
  if (is_known(host.at.called_bytes_per_s)) {
    verdict.evidence.push_back(
        fmt::format("it read {}, page cache counted", bytes_per_s(host.at.called_bytes_per_s)));
  }
  if (host.loads_data() || host.gpu.phases) {
    verdict.cause = Cause::too_few_workers;
    verdict.remedies = {{"load in workers beside the main process", ""}};
  } else if (host.gpu.steady && is_known(host.at.called_bytes_per_s)) {
    verdict.cause = Cause::launch_bound;
    verdict.evidence.emplace_back(
        "the GPU was steadily used in part, and hardly any data was read");
    verdict.remedies = {{"capture the step as a graph, or compile it", ""}, {"a larger batch", ""}};
  } else {
    verdict.evidence.emplace_back("whether it loads data or launches kernels cannot be told");
  }
  return verdict;
}

std::optional<Verdict> busy_machine(const Host& host) {
  if (is_known(host.at.cpu) || !(host.at.machine_cpu >= kMachineFull)) return std::nullopt;
  return Verdict{Cause::unknown,
                 {cores_text(host) + "; whose work that is, a command or --pid would tell"},
                 {}};
}

Verdict nothing_busy(const Host& host) {
  Verdict verdict{Cause::unknown,
                  {"it kept neither cores nor storage busy: it waited for something else, such as "
                   "the network, a lock or a pause",
                   cores_text(host)},
                  {}};
  if (std::string text = storage_text(host); !text.empty())
    verdict.evidence.push_back(std::move(text));
  return verdict;
}

}  // namespace

Verdict judge_host(const HostPoint& point, const WatchedMachine& machine, const GpuPattern& gpu) {
  const Host host{point, machine, gpu};
  for (const auto rule : {contention, own_work, storage, workers, one_thread, busy_machine}) {
    if (const auto verdict = rule(host)) return *verdict;
  }
  return nothing_busy(host);
}

}  // namespace seda::diagnose
