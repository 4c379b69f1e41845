// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/live_screen.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "seda/base/utf8.h"

namespace seda::cli {
namespace {

/// Without what sets colours.
size_t columns(std::string_view line) {
  std::string plain;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == '\x1b') {
      at = std::min(line.find('m', at), line.size() - 1) + 1;
    } else {
      plain += line[at++];
    }
  }
  return count_utf8(plain);
}

void write_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

bool LiveScreen::suits() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

LiveScreen::Size LiveScreen::size() {
  winsize window{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0)
    return {};
  return {window.ws_col, window.ws_row};
}

std::string erase_lines(const std::vector<size_t>& shown, int width) {
  if (shown.empty()) return {};
  const auto across = static_cast<size_t>(std::max(1, width));
  size_t rows = 0;
  for (const size_t line : shown)
    rows += std::max<size_t>(1, (line + across - 1) / across);
  return fmt::format("\r\x1b[{}A\x1b[J", rows);
}

void LiveScreen::show(const std::vector<std::string>& lines) {
  std::string text = erase_lines(shown_, size().width);
  shown_.clear();
  for (const std::string& line : lines) {
    text += line + "\n";
    shown_.push_back(columns(line));
  }
  write_out(text);
}

void LiveScreen::clear() {
  write_out(erase_lines(shown_, size().width));
  shown_.clear();
}

}  // namespace seda::cli
