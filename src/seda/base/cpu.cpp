// SPDX-License-Identifier: Apache-2.0
#include "seda/base/cpu.h"

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

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

std::string_view simd_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
  if (__builtin_cpu_supports("sse4.2")) return "sse4";
  return "sse2";
#elif defined(__aarch64__)
  return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? "sve" : "neon";
#else
  return "none";
#endif
}

bool has_bf16_products() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bf16") != 0;
#else
  return false;
#endif
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
          .simd = std::string(simd_level()),
          .bf16 = has_bf16_products(),
          .memory_bytes = system_value(_SC_PHYS_PAGES) * page_bytes,
          .page_bytes = page_bytes};
}

}  // namespace seda
