// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/detail/grammar.h"

#include <charconv>

#include "seda/base/ascii.h"
#include "seda/base/error.h"
#include "seda/base/utf8.h"

namespace seda::corpus::detail {
namespace {

constexpr int kDeepest = 8;
constexpr std::string_view kRange = "..";

int64_t to_number(std::string_view text) {
  int64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    throw_error(ErrorKind::internal, "grammar: '{}' is not a number", text);
  }
  return value;
}

}  // namespace

std::string Grammar::sentence(Random& random) const {
  std::string out;
  append_part("sentence", random, 0, out);
  if (!persian_) out[0] = upper_ascii(out[0]);
  return out;
}

void Grammar::expand(std::string_view choice, Random& random, int depth, std::string& out) const {
  while (!choice.empty()) {
    const size_t open = choice.find('{');
    out += choice.substr(0, open);
    if (open == std::string_view::npos) return;
    const size_t close = choice.find('}', open);
    if (close == std::string_view::npos) {
      throw_error(ErrorKind::internal, "grammar: '{}' has no closing brace", choice);
    }
    append_part(choice.substr(open + 1, close - open - 1), random, depth, out);
    choice.remove_prefix(close + 1);
  }
}

void Grammar::append_part(std::string_view name, Random& random, int depth,
                          std::string& out) const {
  if (name.find(kRange) != std::string_view::npos) return append_number(name, random, out);
  const auto rule = rules_.find(name);
  if (rule == rules_.end() || rule->second.empty() || depth == kDeepest) {
    throw_error(ErrorKind::internal, "grammar: rule '{}' is missing or stands in itself", name);
  }
  const auto& choices = rule->second;
  expand(choices[random.below(choices.size())], random, depth + 1, out);
}

void Grammar::append_number(std::string_view range, Random& random, std::string& out) const {
  const size_t at = range.find(kRange);
  const int64_t low = to_number(range.substr(0, at));
  const int64_t high = to_number(range.substr(at + kRange.size()));
  const auto width = static_cast<uint64_t>(high - low + 1);
  const std::string digits = std::to_string(low + static_cast<int64_t>(random.below(width)));
  for (const char digit : digits) {
    if (persian_) {
      append_utf8(out, U'۰' + static_cast<char32_t>(digit - '0'));
    } else {
      out += digit;
    }
  }
}

}  // namespace seda::corpus::detail
