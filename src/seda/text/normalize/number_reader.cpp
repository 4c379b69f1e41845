// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalize/number_reader.h"

namespace seda::text {
namespace {

/// Bytes at which a number may begin: digits, and what may stand before one.
bool may_begin(char c) {
  return is_digit(c) || std::string_view("+-.('#~$%\xc2\xe2\xef").find(c) != std::string_view::npos;
}

/// "US$20" begins at its letters.
bool may_begin_at(const NumberText& text, size_t at) {
  const bool dollar = is_upper(text.at(at)) && (text.at(at + 1) == '$' || text.at(at + 2) == '$');
  return may_begin(text.at(at)) || dollar;
}

size_t currency_sign_length(const NumberText& text, size_t at) {
  if (text.at(at) == '$') return 1;
  if (text.has(at, "£") || text.has(at, "¥")) return 2;
  return text.has(at, "€") || text.has(at, "₹") ? 3 : 0;
}

/// Past a dash that stands between numbers; 0 where none does.
size_t range_end(const NumberText& text, size_t at, const NumberRules& rules) {
  size_t start = at;
  if (text.at(start) == ' ') ++start;
  const size_t dash = dash_at(text.text, start);
  if (dash == 0) return 0;
  size_t end = start + dash;
  const bool spaced = start > at;
  if (spaced != (text.at(end) == ' ')) return 0;
  if (spaced && dash == 1 && !rules.spaced_dash_is_range) return 0;
  if (spaced) ++end;
  return is_digit(text.at(end + currency_sign_length(text, end))) ? end : 0;
}

/// A hyphen between a capital letter and a number is not spoken: "F-16".
bool drops_hyphen(const NumberText& text, size_t at) {
  return text.at(at) == '-' && at > 0 && is_upper(text.at(at - 1)) && is_digit(text.at(at + 1));
}

size_t read_one(const NumberText& text, size_t at, const NumberRules& rules, std::string& words) {
  for (const NumberReader reader : rules.readers) {
    words.clear();
    const size_t end = reader(text, at, words);
    if (end != 0) return end;
  }
  return 0;
}

/// Whether a mark and a digit follow without a space, as in "1,2".
bool wants_space(const NumberText& text, size_t at) {
  return (text.at(at) == ',' || text.at(at) == ';') && is_digit(text.at(at + 1));
}

}  // namespace

void read_numbers(const NumberText& text, const NumberRules& rules, std::string& out) {
  std::string words;
  for (size_t at = 0; at < text.text.size();) {
    const size_t end = may_begin_at(text, at) ? read_one(text, at, rules, words) : 0;
    if (end == 0) {
      out += drops_hyphen(text, at) ? ' ' : text.at(at);
      ++at;
      continue;
    }
    if (word_ends_before(out, out.size())) out += ' ';
    out += words;
    at = end;
    const size_t next = rules.to.empty() ? 0 : range_end(text, at, rules);
    if (next != 0) {
      out.append(" ").append(rules.to).append(" ");
      at = next;
    } else if (wants_space(text, at)) {
      out.append(1, text.at(at++)).append(" ");
    } else if (!text.is_end(at)) {
      out += ' ';
    }
  }
}

}  // namespace seda::text
