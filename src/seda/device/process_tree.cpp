// SPDX-License-Identifier: Apache-2.0
#include "seda/device/process_tree.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "seda/device/proc_text.h"

namespace seda::device {
namespace {

namespace fs = std::filesystem;

std::optional<int> process_id_of(const fs::path& folder) {
  const std::string name = folder.filename().string();
  int id = 0;
  const char* end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data(), end, id);
  if (code != std::errc() || stop != end || id <= 0) return std::nullopt;
  return id;
}

struct Link {
  int process = 0;
  int parent = 0;
};

/// Every process of the machine and its parent.
std::vector<Link> all_links(const fs::path& proc) {
  std::vector<Link> links;
  std::error_code failed;
  for (fs::directory_iterator entry(proc, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const auto id = process_id_of(entry->path());
    if (!id) continue;
    if (const auto stat = parse_process_stat(read_text(entry->path() / "stat")))
      links.push_back({*id, stat->parent_id});
  }
  return links;
}

void add(std::optional<double>& sum, const std::optional<double>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

void add(ProcessTreeSample& sum, const ProcessSample& one) {
  sum.alive = true;
  ++sum.processes;
  sum.threads += one.threads;
  sum.cpu += one.cpu;
  sum.busiest_cpu = std::max(sum.busiest_cpu, one.cpu);
  sum.at_full_speed += one.cpu >= kFullSpeed ? 1 : 0;
  sum.in_disk_wait += one.in_disk_wait ? 1 : 0;
  sum.resident_bytes += one.resident_bytes;
  sum.major_faults_per_s += one.major_faults_per_s;
  add(sum.read_bytes_per_s, one.read_bytes_per_s);
  add(sum.written_bytes_per_s, one.written_bytes_per_s);
  add(sum.called_bytes_per_s, one.called_bytes_per_s);
  add(sum.core_wait, one.core_wait);
}

}  // namespace

ProcessTree::ProcessTree(ProcessTreeOptions options, const Clock* clock)
    : options_(std::move(options)), clock_(clock) {
  if (options_.process_id == 0) options_.process_id = getpid();
  members_.emplace(options_.process_id,
                   Member{0, ProcessMonitor({options_.process_id, options_.proc}, clock_)});
  search();
}

int64_t ProcessTree::now_ns() const {
  return clock_ == nullptr ? steady_clock_.now_ns() : clock_->now_ns();
}

// Children may be listed before their parents: again until nobody is new.
void ProcessTree::search() {
  searched_ns_ = now_ns();
  if (members_.empty()) return;
  const std::vector<Link> links = all_links(options_.proc);
  for (bool found = true; found;) {
    found = false;
    for (const Link& link : links) {
      const auto parent = members_.find(link.parent);
      if (parent == members_.end() || members_.contains(link.process)) continue;
      members_.emplace(link.process, Member{parent->second.depth + 1,
                                            ProcessMonitor({link.process, options_.proc}, clock_)});
      found = true;
    }
  }
}

ProcessTreeSample ProcessTree::sample() {
  ProcessTreeSample sum;
  int first_depth = std::numeric_limits<int>::max();
  bool counters_hidden = false;
  for (auto member = members_.begin(); member != members_.end();) {
    const ProcessSample one = member->second.monitor.sample();
    if (one.alive) add(sum, one);
    counters_hidden = counters_hidden || (one.alive && !one.called_bytes_per_s);
    if (one.alive && member->first == options_.process_id) sum.root_alive = true;
    if (one.cpu_seconds > kWrapperSeconds && member->second.depth < first_depth) {
      first_depth = member->second.depth;
      sum.first_cpu = one.cpu;
    }
    member = one.alive ? std::next(member) : members_.erase(member);
  }
  if (counters_hidden) {
    sum.read_bytes_per_s.reset();
    sum.written_bytes_per_s.reset();
    sum.called_bytes_per_s.reset();
  }
  if (static_cast<double>(now_ns() - searched_ns_) >= 1e9 * options_.search_interval_s) search();
  return sum;
}

}  // namespace seda::device
