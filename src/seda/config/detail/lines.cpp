// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/lines.h"

#include <algorithm>

namespace seda::config::detail {

Lines::Lines(std::string_view text) : begins_{0}, size_(text.size()) {
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    begins_.push_back(at + 1);
}

size_t Lines::offset(int line, int column) const {
  if (line < 0 || static_cast<size_t>(line) >= begins_.size()) return size_;
  return std::min(size_, begins_[static_cast<size_t>(line)] + static_cast<size_t>(column));
}

size_t Lines::line_of(size_t offset) const {
  const auto after = std::ranges::upper_bound(begins_, offset);
  return static_cast<size_t>(after - begins_.begin()) - 1;
}

Place place_of(std::string_view text, const Lines& lines, size_t offset, const std::string& file) {
  const size_t line = lines.line_of(offset);
  const size_t begin = lines.begin_of_line(line);
  const auto characters = std::ranges::count_if(text.substr(begin, offset - begin), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  });
  return {
      .file = file, .line = static_cast<int>(line) + 1, .column = static_cast<int>(characters) + 1};
}

}  // namespace seda::config::detail
