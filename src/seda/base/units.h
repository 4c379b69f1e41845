// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seda {

/// "512 B", "1.5 KiB", "8.0 GiB".
std::string format_bytes(uint64_t bytes);

/// "850 ns", "12 µs", "3.4 ms", "9.8 s", "2 min 05 s", "1 h 02 min".
std::string format_seconds(double seconds);

/// "1 clip", "2 clips".
std::string format_count(uint64_t count, std::string_view one);

/// A share of 1 as "12 %", or with decimals "12.3 %".
std::string format_percent(double share, int decimals = 0);
/// The same, or "not measured".
std::string format_percent(const std::optional<double>& share, int decimals = 0);

}  // namespace seda
