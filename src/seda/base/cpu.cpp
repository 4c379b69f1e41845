// SPDX-License-Identifier: Apache-2.0
#include "seda/base/cpu.h"

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#include "seda/base/detail/cpu_features.h"

namespace seda {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Value of the first line "key : value", or nothing.
std::string_view field(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key)
      return trimmed(line.substr(colon + 1));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

uint64_t system_value(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<uint64_t>(value) : 0;
}

}  // namespace

std::string cpu_model_name(std::string_view cpuinfo) {
  for (const std::string_view key : {"model name", "Model Name", "Model", "cpu model"}) {
    if (const auto name = field(cpuinfo, key); !name.empty()) return std::string(name);
  }
  const auto implementer = field(cpuinfo, "CPU implementer");
  const auto part = field(cpuinfo, "CPU part");
  if (implementer.empty() || part.empty()) return "unknown";
  return fmt::format("ARM implementer {} part {}", implementer, part);
}

CpuInfo cpu_info() {
  std::ifstream file("/proc/cpuinfo");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const uint64_t page_bytes = system_value(_SC_PAGESIZE);
  return {.model = cpu_model_name(text),
          .simd = std::string(detail::simd_level()),
          .bf16 = detail::has_bf16_products(),
          .memory_bytes = system_value(_SC_PHYS_PAGES) * page_bytes,
          .page_bytes = page_bytes};
}

}  // namespace seda
