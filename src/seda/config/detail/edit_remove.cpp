// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/edit.h"
#include "seda/config/detail/extent.h"

namespace seda::config::detail {
namespace {

constexpr auto kNone = std::string_view::npos;

/// Everything between is a comma and blanks.
bool only_comma_between(std::string_view text, size_t begin, size_t end) {
  return text.substr(begin, end - begin).find_first_not_of(", ") == kNone;
}

/// Widens [begin, end) to whole lines where nothing but blanks and a comment is left of them.
Replacement widen_to_lines(std::string_view text, size_t begin, size_t end) {
  const size_t line = begin_of_line(text, begin);
  const size_t next = begin_of_next_line(text, end);
  const bool first = text.find_first_not_of(' ', line) == begin;
  const size_t word = text.find_first_not_of(" \t\r", end);
  const bool last = word == kNone || text[word] == '\n' || (text[word] == '#' && word > end);
  if (first && last) return {line, next, ""};
  const size_t blanks = text.find_first_not_of(' ', end);
  return {begin, blanks == kNone ? text.size() : blanks, ""};
}

/// An entry and the comma behind it; that before it where it is the last.
std::vector<Replacement> remove_from_flow(std::string_view text, const Node& mapping,
                                          const Entry& entry) {
  const size_t begin = entry.key.begin;
  const size_t end = end_of_entry(text, entry, true);
  const size_t comma = skip_space(text, end);
  if (comma < text.size() && text[comma] == ',') {
    if (only_comma_between(text, end, comma)) return {widen_to_lines(text, begin, comma + 1)};
    return {{begin, end, ""}, {comma, comma + 1, ""}};
  }
  if (&entry == &mapping.entries.front()) return {{begin, end, ""}};
  const size_t before = end_of_entry(text, *(&entry - 1), true);
  if (only_comma_between(text, before, begin)) return {{before, end, ""}};
  return {widen_to_lines(text, begin, end)};
}

}  // namespace

std::vector<Replacement> plan_remove(const Document& document, std::string_view path) {
  if (!document.root) return {};
  return plan_remove(document, *parent_of(*document.root, path), *find_path(*document.root, path));
}

std::vector<Replacement> plan_remove(const Document& document, const Node& mapping,
                                     const Entry& entry) {
  const std::string_view text = document.text;
  if (mapping.style == Node::Style::flow) return remove_from_flow(text, mapping, entry);
  const size_t end = end_of_entry(text, entry, false);
  return {{begin_of_line(text, entry.key.begin), begin_of_next_line(text, end), ""}};
}

}  // namespace seda::config::detail
