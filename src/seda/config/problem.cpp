// SPDX-License-Identifier: Apache-2.0
#include "seda/config/problem.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/base/utf8.h"

namespace seda::config {
namespace {

constexpr size_t kShownBytes = 60;

bool comes_before(const Problem& a, const Problem& b) {
  return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
}

}  // namespace

std::string Place::text() const {
  return line == 0 ? file : fmt::format("{}:{}:{}", file, line, column);
}

std::string Problem::text() const {
  std::string out = place.file.empty() ? evidence : fmt::format("{}: {}", place.text(), evidence);
  if (!cure.empty()) out += "; " + cure;
  return out;
}

void ProblemList::add(Problem problem) {
  if (full()) return skip();
  const auto after = std::ranges::upper_bound(problems_, problem, comes_before);
  problems_.insert(after, std::move(problem));
}

std::string ProblemList::text() const {
  std::string out;
  for (const Problem& problem : problems_)
    out += (out.empty() ? "" : "\n") + problem.text();
  if (left_out_ > 0) out += fmt::format("\nand {} more", left_out_);
  return out;
}

void ProblemList::raise() const {
  if (!empty()) throw Error(ErrorKind::config, text());
}

std::string shown(std::string_view text) {
  const std::string_view first = first_bytes(text, kShownBytes);
  std::string out;
  for (const char c : first) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += c == '\n' ? "\\n" : fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return first.size() < text.size() ? out + "..." : out;
}

}  // namespace seda::config
