// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace seda::config::detail {

/// A number read from text, or why there is none.
template <typename T>
struct ParsedNumber {
  std::optional<T> value;
  std::string cure;  ///< What to write instead, where that can be told.
};

/// Decimal numbers as YAML 1.2 writes them: `16`, `-3`, `.5`, `1e-4`. Refused, each with its cure:
/// a leading zero (010 is 8 to some readers and 10 to others), other bases, underscores, digits of
/// other scripts, infinity, what is not a number, and what overflows.
ParsedNumber<double> read_number(std::string_view text);

/// As `read_number`; `16.0` and `1e3` are integers, `16.5` is not.
ParsedNumber<int64_t> read_integer(std::string_view text);

}  // namespace seda::config::detail
