// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/wrap_text.h"

#include <algorithm>

namespace seda::cli {
namespace {

size_t columns_of(std::string_view word) {
  return static_cast<size_t>(std::ranges::count_if(
      word, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string wrap_text(std::string_view text, size_t indent, size_t width) {
  std::string out;
  size_t column = indent;
  while (!text.empty()) {
    const size_t length = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (word.empty()) continue;
    const size_t columns = columns_of(word);
    if (column > indent && column + 1 + columns > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += columns;
  }
  return out + "\n";
}

}  // namespace seda::cli
