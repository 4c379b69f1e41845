// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "seda/config/problem.h"

namespace seda::config::detail {

/// Where the lines of a text begin. Does not keep the text.
class Lines {
 public:
  explicit Lines(std::string_view text);

  /// Offset of a byte from its line and its byte within the line, both from 0; at most the size.
  size_t offset(int line, int column) const;

  /// Line of an offset, from 0.
  size_t line_of(size_t offset) const;
  size_t begin_of_line(size_t line) const { return begins_[line]; }

 private:
  std::vector<size_t> begins_;
  size_t size_;
};

/// The place of an offset, with its column in characters.
Place place_of(std::string_view text, const Lines& lines, size_t offset, const std::string& file);

}  // namespace seda::config::detail
