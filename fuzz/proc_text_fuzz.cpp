// SPDX-License-Identifier: Apache-2.0
// No text, however hostile, may break the parsers of /proc.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "seda/device/proc_text.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace seda::device;  // NOLINT(google-build-using-namespace): one function
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  parse_process_stat(text);
  parse_process_io(text);
  parse_core_wait_ns(text);
  parse_cpu_ticks(text);
  parse_memory_info(text);
  for (const auto& disk : parse_disk_counters(text)) {
    if (disk.name.empty()) std::abort();
  }
  return 0;
}
