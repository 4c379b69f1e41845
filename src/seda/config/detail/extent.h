// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "seda/config/detail/node.h"

namespace seda::config::detail {

/// Where a node stands: the column of the key it belongs to (-1 for none), and whether inside
/// brackets or braces.
struct Context {
  int indent = -1;
  bool flow = false;
};

/// Offset after the closing quote of the quoted scalar at `begin`; npos where it is never closed.
size_t end_of_quoted(std::string_view text, size_t begin);

/// Offset after the last byte of a mapping's key.
size_t end_of_key(std::string_view text, const Node& key, bool flow);

/// Offset of the colon behind a key that ends at `end`; npos where there is none.
size_t find_colon(std::string_view text, size_t end, bool flow);

/// Offset after the header of the block scalar at `begin`: `|`, `>2-`.
size_t end_of_header(std::string_view text, size_t begin);

/// Offset after the value of `entry`, or after its colon or key where the value is implicit.
size_t end_of_entry(std::string_view text, const Entry& entry, bool flow);

/// Offset after spaces, line breaks and comments.
size_t skip_space(std::string_view text, size_t at);

/// First byte of the line of `at`; offset after its line feed, or the size.
size_t begin_of_line(std::string_view text, size_t at);
size_t begin_of_next_line(std::string_view text, size_t at);

/// Byte of `at` within its line, from 0.
int column_of(std::string_view text, size_t at);

}  // namespace seda::config::detail
