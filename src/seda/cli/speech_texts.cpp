// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/speech_texts.h"

#include <algorithm>

#include <unistd.h>

#include "seda/base/error.h"
#include "seda/cli/input.h"

namespace seda::cli {
namespace {

constexpr const char* kStdin = "-";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
}

void add_lines(const std::string& name, std::vector<std::string>& out) {
  const std::string content = read_input(name);
  const size_t before = out.size();
  for (size_t at = 0; at < content.size();) {
    const size_t end = std::min(content.find('\n', at), content.size());
    std::string line = content.substr(at, end - at);
    if (line.ends_with('\r')) line.pop_back();
    if (!is_blank(line)) out.push_back(std::move(line));
    at = end + 1;
  }
  if (out.size() > before) return;
  throw_error(ErrorKind::usage, "{}: expected a text on each line, found none",
              name == kStdin ? "stdin" : name);
}

}  // namespace

std::vector<std::string> read_speech_texts(const std::vector<std::string>& texts,
                                           const std::vector<std::string>& files) {
  std::vector<std::string> out = texts;
  if (std::ranges::any_of(texts, is_blank)) {
    throw_error(ErrorKind::usage, "--text: expected something to say, found an empty text");
  }
  for (const std::string& file : files)
    add_lines(file, out);
  if (!out.empty()) return out;
  if (isatty(STDIN_FILENO) == 1) {
    throw_error(ErrorKind::usage,
                "nothing to say: give --text TEXT, --file FILE, or lines on stdin");
  }
  add_lines(kStdin, out);
  return out;
}

}  // namespace seda::cli
