// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace seda::device::nvml {

/// Why clocks are below their highest, in words, from NVML's bits. Bits that are not known are
/// "reason 0x…".
std::vector<std::string> reason_words(unsigned long long bits);

/// Whether one of them takes speed away from a GPU that has work.
bool is_limited(unsigned long long bits);

}  // namespace seda::device::nvml
