// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/result.h"

namespace seda::dataset::detail {

/// `bytes` without a byte order mark. UTF-16, marked or not, is an Error(io) with the cure.
std::string_view check_encoding(std::string_view bytes, const std::string& source);

/// A line that begins a JSON array, where one object a line is expected, is an Error(io) with the
/// cure.
void refuse_json_array(std::string_view line, const std::string& source);

/// Lines without their ends: LF or CRLF, or CR in bytes that have no LF. Line `i` is number i + 1.
std::vector<std::string_view> split_lines(std::string_view bytes);

/// The first line of `bytes` that is not blank, or nothing in it.
std::string_view first_line(std::string_view bytes);

/// Without spaces, tabs and carriage returns around it.
std::string_view trim(std::string_view text);

/// Where a line stands, for messages and for the record.
struct Place {
  const std::string& source;
  uint32_t line = 0;  ///< From 1; 0: the file as a whole.

  /// `metadata.csv:12`.
  std::string text() const;
};

/// Why a line cannot be read at all: over 1 MiB, NUL, not UTF-8.
std::optional<Fault> check_line(std::string_view line, const Place& place);

/// At most 40 bytes of `text` to quote in a message, cut between characters.
std::string excerpt(std::string_view text);

}  // namespace seda::dataset::detail
