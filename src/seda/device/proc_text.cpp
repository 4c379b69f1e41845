// SPDX-License-Identifier: Apache-2.0
#include "seda/device/proc_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include <fcntl.h>
#include <unistd.h>

#include "seda/base/file_descriptor.h"

namespace seda::device {
namespace {

std::optional<uint64_t> parse_number(std::string_view text) {
  uint64_t value = 0;
  const char* end = std::to_address(text.end());
  const auto [stop, code] = std::from_chars(std::to_address(text.begin()), end, value);
  if (code != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::vector<std::string_view> words(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n";
  std::vector<std::string_view> out;
  for (size_t at = text.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(kSpace, end);
  }
  return out;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// The number after "name:" at the start of a line.
std::optional<uint64_t> labelled(std::string_view text, std::string_view name) {
  for (const std::string_view line : lines(text)) {
    if (!line.starts_with(name) || !line.substr(name.size()).starts_with(':')) continue;
    const auto fields = words(line.substr(name.size() + 1));
    return fields.empty() ? std::nullopt : parse_number(fields[0]);
  }
  return std::nullopt;
}

/// Numbers by their place in a list of words; remembers whether all were there.
class Fields {
 public:
  explicit Fields(std::vector<std::string_view> fields) : fields_(std::move(fields)) {}

  uint64_t number(size_t place) {
    const auto value = place < fields_.size() ? parse_number(fields_[place]) : std::nullopt;
    complete_ = complete_ && value.has_value();
    return value.value_or(0);
  }
  bool complete() const noexcept { return complete_; }

 private:
  std::vector<std::string_view> fields_;
  bool complete_ = true;
};

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  // The name may hold anything but a zero byte; only the last parenthesis ends it.
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const auto id = words(text.substr(0, open));
  const auto rest = words(text.substr(close + 1));
  if (id.size() != 1 || !parse_number(id[0]) || rest.empty() || rest[0].size() != 1) {
    return std::nullopt;
  }

  // Places are those of proc(5), counted from the state, its third field.
  Fields fields(rest);
  ProcessStat stat{.state = rest[0][0],
                   .parent_id = static_cast<int>(fields.number(1)),
                   .major_faults = fields.number(9),
                   .user_ticks = fields.number(11),
                   .system_ticks = fields.number(12),
                   .threads = fields.number(17),
                   .start_ticks = fields.number(19),
                   .resident_pages = fields.number(21)};
  return fields.complete() ? std::optional(stat) : std::nullopt;
}

std::optional<ProcessIo> parse_process_io(std::string_view text) {
  const auto read_bytes = labelled(text, "read_bytes");
  const auto write_bytes = labelled(text, "write_bytes");
  const auto called_bytes = labelled(text, "rchar");
  if (!read_bytes || !write_bytes || !called_bytes) return std::nullopt;
  return ProcessIo{
      .read_bytes = *read_bytes, .write_bytes = *write_bytes, .called_bytes = *called_bytes};
}

std::optional<uint64_t> parse_core_wait_ns(std::string_view text) {
  const auto fields = words(text);
  return fields.size() == 3 ? parse_number(fields[1]) : std::nullopt;
}

std::optional<CpuTicks> parse_cpu_ticks(std::string_view text) {
  const auto first = words(text.substr(0, text.find('\n')));
  if (first.empty() || first[0] != "cpu") return std::nullopt;
  Fields fields(first);
  // user nice system idle iowait irq softirq steal; guest time is already in user and nice.
  CpuTicks ticks{.busy = fields.number(1) + fields.number(2) + fields.number(3) + fields.number(6) +
                         fields.number(7) + fields.number(8),
                 .idle = fields.number(4),
                 .waiting_for_io = fields.number(5)};
  return fields.complete() ? std::optional(ticks) : std::nullopt;
}

std::optional<MemoryInfo> parse_memory_info(std::string_view text) {
  const auto total = labelled(text, "MemTotal");
  const auto available = labelled(text, "MemAvailable");
  if (!total || !available) return std::nullopt;
  return MemoryInfo{.total_bytes = *total * 1024, .available_bytes = *available * 1024};
}

std::vector<DiskCounters> parse_disk_counters(std::string_view text) {
  std::vector<DiskCounters> disks;
  for (const std::string_view line : lines(text)) {
    const auto all = words(line);
    Fields fields(all);
    if (all.size() < 3) continue;
    DiskCounters disk{.name = std::string(all[2]), .busy_ms = fields.number(12)};
    if (fields.complete()) disks.push_back(std::move(disk));
  }
  return disks;
}

std::string read_text(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; file && (n = read(file.get(), buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<size_t>(n));
  return text;
}

}  // namespace seda::device
