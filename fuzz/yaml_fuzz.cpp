// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are read as a configuration or refused with an Error(config).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "seda/base/error.h"
#include "seda/config/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto reading = seda::config::parse_config(bytes, "fuzz.yaml");
    if (!reading.problems.empty() && reading.problems.text().empty()) std::abort();
    if (reading.problems.empty()) reading.config.check();
  } catch (const seda::Error& error) {
    if (error.kind() != seda::ErrorKind::config) std::abort();
  }
  return 0;
}
