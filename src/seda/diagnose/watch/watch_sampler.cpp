// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_sampler.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <unistd.h>

#include "seda/base/thread.h"

namespace seda::diagnose {
namespace {

template <typename Value>
double number(const std::optional<Value>& value) {
  return value ? static_cast<double>(*value) : kUnknown;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// By heat or hardware: a power limit alone is how large chips normally run.
bool is_slowed(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return word.ends_with("slowdown") || word == "power brake";
  });
}

void put_processes(const device::ProcessTreeSample& tree, HostPoint& host) {
  if (!tree.alive) return;
  host.processes = static_cast<double>(tree.processes);
  host.threads = static_cast<double>(tree.threads);
  host.cpu = tree.cpu;
  host.busiest_cpu = tree.busiest_cpu;
  host.first_cpu = tree.first_cpu;
  host.at_full_speed = static_cast<double>(tree.at_full_speed);
  host.core_wait = number(tree.core_wait);
  host.in_disk_wait = static_cast<double>(tree.in_disk_wait);
  host.resident_bytes = static_cast<double>(tree.resident_bytes);
  host.read_bytes_per_s = number(tree.read_bytes_per_s);
  host.written_bytes_per_s = number(tree.written_bytes_per_s);
  host.called_bytes_per_s = number(tree.called_bytes_per_s);
  host.major_faults_per_s = tree.major_faults_per_s;
}

void put_machine(const device::SystemSample& system, HostPoint& host) {
  host.machine_cpu = number(system.cpu);
  host.io_wait = number(system.waiting_for_io);
  host.memory_available_bytes = number(system.memory_available_bytes);
  for (const double busy : system.disk_busy)
    host.disk_busy = is_known(host.disk_busy) ? std::max(host.disk_busy, busy) : busy;
}

WatchedMachine describe(const device::Monitor& monitor, device::SystemMonitor& system) {
  WatchedMachine machine;
  machine.gpu_absence = monitor.absence();
  for (int gpu = 0; gpu < monitor.gpu_count(); ++gpu)
    machine.gpus.push_back(monitor.info(gpu));
  machine.cores = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  machine.usable_cores = usable_cores();
  machine.memory_total_bytes = number(system.sample().memory_total_bytes);
  return machine;
}

void add_to(double& sum, double rate, double seconds) {
  if (is_known(rate)) sum = (is_known(sum) ? sum : 0) + rate * seconds;
}

}  // namespace

WatchSampler::WatchSampler(const WatchOptions& options, std::unique_ptr<device::Monitor> monitor)
    : options_(options), monitor_(std::move(monitor)), machine_(describe(*monitor_, system_)) {
  if (options_.process_id != 0) tree_.emplace(device::ProcessTreeOptions{options_.process_id});
  {
    const MutexLock lock(mutex_);
    rest_.machine = machine_;
    rest_.has_process = tree_.has_value();
    rest_.process_alive = tree_.has_value();
    rest_.interval_s = options_.interval_s;
    rest_.limits.resize(machine_.gpus.size());
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

WatchSampler::~WatchSampler() {
  stop();
}

void WatchSampler::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

// Looks fall on multiples of the interval, so that a slow one does not shift those after it.
void WatchSampler::run(const std::stop_token& stop) {
  set_thread_name("watch");
  std::mutex mutex;
  std::condition_variable_any never;
  const auto interval = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(options_.interval_s));
  auto due = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    due = std::max(due + interval, std::chrono::steady_clock::now());
    std::unique_lock lock(mutex);
    never.wait_until(lock, stop, due, [] { return false; });
    if (!stop.stop_requested()) look();
  }
}

void WatchSampler::look() {
  WatchSample sample = take();
  const MutexLock lock(mutex_);
  add_totals(sample);
  history_.add(std::move(sample));
}

WatchSample WatchSampler::take() {
  WatchSample sample;
  put_machine(system_.sample(), sample.host);
  if (tree_) {
    const device::ProcessTreeSample tree = tree_->sample();
    put_processes(tree, sample.host);
    const MutexLock lock(mutex_);
    rest_.process_alive = tree.root_alive;
  }
  for (int gpu = 0; gpu < monitor_->gpu_count(); ++gpu)
    sample.gpus.push_back(take_gpu(gpu));
  sample.seconds = stopwatch_.seconds();
  return sample;
}

GpuPoint WatchSampler::take_gpu(int gpu) {
  const device::GpuSample seen = monitor_->sample(gpu);
  const device::GpuActivity activity = seen.activity.value_or(device::GpuActivity{});
  GpuPoint point;
  point.utilization = number(seen.utilization ? seen.utilization : activity.busy);
  point.sm_activity = number(activity.sm);
  point.memory_bytes = number(seen.memory_used_bytes);
  point.power_w = number(seen.power_w);
  point.sm_clock_mhz = number(seen.sm_clock_mhz);
  point.temperature_c = number(seen.temperature_c);
  point.pcie_in_bytes_per_s = number(activity.pcie_rx_bytes_per_s);
  point.pcie_out_bytes_per_s = number(activity.pcie_tx_bytes_per_s);
  if (seen.throttle_reasons) {
    const std::vector<std::string>& words = *seen.throttle_reasons;
    point.slowed = is_slowed(words) ? 1 : 0;
    point.power_capped = has(words, "power cap") ? 1 : 0;
    const MutexLock lock(mutex_);
    if (seen.throttled.value_or(false))
      rest_.limits[static_cast<size_t>(gpu)].insert(words.begin(), words.end());
  }
  return point;
}

void WatchSampler::add_totals(const WatchSample& sample) {
  const double since = sample.seconds - rest_.seconds;
  add_to(rest_.read_bytes, sample.host.read_bytes_per_s, since);
  add_to(rest_.written_bytes, sample.host.written_bytes_per_s, since);
  rest_.seconds = sample.seconds;
}

WatchRecord WatchSampler::record() const {
  const MutexLock lock(mutex_);
  WatchRecord record = rest_;
  record.samples = history_.count();
  record.all = history_.all();
  record.recent.assign(history_.recent().begin(), history_.recent().end());
  record.peak = history_.peak();
  return record;
}

std::vector<WatchSample> WatchSampler::after(uint64_t number) const {
  const MutexLock lock(mutex_);
  const auto& recent = history_.recent();
  const auto first = std::ranges::upper_bound(recent, number, {}, &WatchSample::number);
  return {first, recent.end()};
}

WatchSample WatchSampler::latest() const {
  const MutexLock lock(mutex_);
  return history_.recent().empty() ? WatchSample{} : history_.recent().back();
}

bool WatchSampler::process_alive() const {
  const MutexLock lock(mutex_);
  return rest_.process_alive;
}

}  // namespace seda::diagnose
