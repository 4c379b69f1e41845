// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/wrap_text.h"

#include <algorithm>

#include "seda/base/utf8.h"

namespace seda::cli {
namespace {

/// Bytes of the first `columns` characters.
size_t bytes_of(std::string_view text, size_t columns) {
  size_t at = 0;
  for (size_t seen = 0; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins && seen++ == columns) break;
  }
  return at;
}

/// Where a line of at most `columns` ends: behind a word, or within one that is longer.
size_t line_end(std::string_view text, size_t columns) {
  const size_t most = bytes_of(text, columns);
  if (most == text.size()) return most;
  const size_t space = text.rfind(' ', most);
  return space == std::string_view::npos || space == 0 ? most : space;
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
    const size_t columns = count_utf8(word);
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

std::string folded(std::string_view first, std::string_view text, size_t indent, size_t width) {
  constexpr size_t kFewest = 12;  // columns of text, however narrow the terminal
  std::string out(first);
  size_t used = count_utf8(first);
  if (used + kFewest > width && !text.empty()) {
    out += "\n" + std::string(indent, ' ');
    used = indent;
  }
  while (!text.empty()) {
    const size_t room = std::max(kFewest, width - std::min(width, used));
    const size_t end = line_end(text, room);
    out += text.substr(0, end);
    text.remove_prefix(end);
    while (text.starts_with(' '))
      text.remove_prefix(1);
    used = indent;
    if (!text.empty()) out += "\n" + std::string(indent, ' ');
  }
  return out + "\n";
}

}  // namespace seda::cli
