// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The files of /proc as values. Each parser takes the text, so that tests can give it any; what is
/// not as the kernel writes it is nullopt, or left out of a list.
namespace seda::device {

/// /proc/PID/stat. The process' name in it may hold spaces, parentheses and line breaks.
struct ProcessStat {
  char state = '?';  ///< 'R' running, 'S' sleeping, 'Z' ended but not yet reaped, …
  int parent_id = 0;
  uint64_t major_faults = 0;
  uint64_t user_ticks = 0;
  uint64_t system_ticks = 0;
  uint64_t threads = 0;
  uint64_t start_ticks = 0;  ///< Since boot; with the id it names a process for good.
  uint64_t resident_pages = 0;
};
std::optional<ProcessStat> parse_process_stat(std::string_view text);

/// /proc/PID/io.
struct ProcessIo {
  uint64_t read_bytes = 0;    ///< From storage, past the page cache.
  uint64_t write_bytes = 0;   ///< To storage.
  uint64_t called_bytes = 0;  ///< Asked by read calls, page cache or not.
};
std::optional<ProcessIo> parse_process_io(std::string_view text);

/// /proc/PID/schedstat: nanoseconds in which the first thread could run but had no core.
std::optional<uint64_t> parse_core_wait_ns(std::string_view text);

/// First line of /proc/stat, all cores together.
struct CpuTicks {
  uint64_t busy = 0;
  uint64_t idle = 0;
  uint64_t waiting_for_io = 0;  ///< Idle while a disk request was open.

  uint64_t total() const noexcept { return busy + idle + waiting_for_io; }
};
std::optional<CpuTicks> parse_cpu_ticks(std::string_view text);

/// /proc/meminfo.
struct MemoryInfo {
  uint64_t total_bytes = 0;
  uint64_t available_bytes = 0;  ///< What can be had without swapping.
};
std::optional<MemoryInfo> parse_memory_info(std::string_view text);

/// A line of /proc/diskstats.
struct DiskCounters {
  std::string name;      ///< "nvme0n1", and its partitions "nvme0n1p1".
  uint64_t busy_ms = 0;  ///< Time with a request open.
};
std::vector<DiskCounters> parse_disk_counters(std::string_view text);

/// All of a file of /proc; empty where it cannot be read.
std::string read_text(const std::filesystem::path& path);

}  // namespace seda::device
