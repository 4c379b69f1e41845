// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "seda/base/error.h"
#include "seda/config/detail/edit.h"
#include "seda/config/detail/extent.h"
#include "seda/config/detail/render.h"

namespace seda::config::detail {
namespace {

constexpr auto kNone = std::string_view::npos;

/// How far a path leads into a document.
struct Spot {
  const Node* mapping = nullptr;  ///< The last mapping on the way; nullptr: the document is empty.
  const Entry* entry = nullptr;   ///< In it, the value itself or a section that holds nothing.
  std::string_view rest;          ///< What of the path is missing.
};

[[noreturn]] void refuse(const Document& document, size_t at, std::string_view path,
                         std::string_view reason) {
  throw_error(ErrorKind::config, "{}: cannot set {} here: {}", document.place(at).text(), path,
              reason);
}

Spot locate(const Document& document, const Node* mapping, std::string_view path) {
  if (mapping == nullptr || mapping->kind == Node::Kind::null)
    return {.mapping = nullptr, .entry = nullptr, .rest = path};
  if (mapping->kind != Node::Kind::mapping)
    refuse(document, mapping->begin, path, "expected a section, found a value");
  const size_t dot = path.find('.');
  const Entry* entry = find_entry(*mapping, path.substr(0, dot));
  if (entry == nullptr) return {.mapping = mapping, .entry = nullptr, .rest = path};
  if (dot == kNone) return {.mapping = mapping, .entry = entry, .rest = ""};
  const std::string_view rest = path.substr(dot + 1);
  if (entry->value.kind == Node::Kind::null)
    return {.mapping = mapping, .entry = entry, .rest = rest};
  return locate(document, &entry->value, rest);
}

std::string line_end(std::string_view text) {
  const size_t feed = text.find('\n');
  return feed != kNone && feed > 0 && text[feed - 1] == '\r' ? "\r\n" : "\n";
}

/// Columns that the file's sections are indented by; 2 where it has none.
size_t indent_step(const Document& document) {
  if (!document.root) return 2;
  for (const Entry& entry : document.root->entries) {
    if (entry.value.style != Node::Style::block || entry.value.entries.empty()) continue;
    const int outer = column_of(document.text, entry.key.begin);
    const int inner = column_of(document.text, entry.value.entries.front().key.begin);
    if (inner > outer) return static_cast<size_t>(inner - outer);
  }
  return 2;
}

/// `a.b` and a value as `a: {b: value}`.
std::string flow_pair(std::string_view path, const std::string& value) {
  const size_t dot = path.find('.');
  const std::string name = render_text(path.substr(0, dot));
  if (dot == kNone) return fmt::format("{}: {}", name, value);
  return fmt::format("{}: {{{}}}", name, flow_pair(path.substr(dot + 1), value));
}

/// The same on lines of their own, the first indented by `column`, without the last line's end.
std::string block_lines(const Document& document, std::string_view path, const std::string& value,
                        size_t column) {
  const size_t dot = path.find('.');
  const std::string head = fmt::format("{:{}}{}:", "", column, render_text(path.substr(0, dot)));
  if (dot == kNone) return head + " " + value;
  return head + line_end(document.text) +
         block_lines(document, path.substr(dot + 1), value, column + indent_step(document));
}

/// Puts `lines` between the line that ends at `end` and the next.
Replacement insert_lines(const Document& document, size_t end, std::string lines) {
  const size_t at = begin_of_next_line(document.text, end);
  const bool open = at > 0 && document.text[at - 1] != '\n';
  lines = open ? line_end(document.text) + lines : lines + line_end(document.text);
  return {at, at, std::move(lines)};
}

Replacement append_to_flow(const Document& document, const Node& mapping, const std::string& pair) {
  if (mapping.entries.empty()) return {mapping.begin + 1, mapping.begin + 1, pair};
  const size_t end = end_of_entry(document.text, mapping.entries.back(), true);
  return {end, end, ", " + pair};
}

Replacement append_to_block(const Document& document, const Node& mapping, std::string_view path,
                            const std::string& value) {
  const auto column =
      static_cast<size_t>(column_of(document.text, mapping.entries.front().key.begin));
  const size_t end = end_of_entry(document.text, mapping.entries.back(), false);
  return insert_lines(document, end, block_lines(document, path, value, column));
}

/// Column for the first key of an empty section: that of the comments in it, if they are indented.
size_t column_in_empty(const Document& document, const Entry& section) {
  const std::string_view text = document.text;
  const int outer = column_of(text, section.key.begin);
  const size_t below = begin_of_next_line(text, end_of_entry(text, section, false));
  const size_t word = text.find_first_not_of(" \r\n", below);
  const bool comment = word != kNone && text[word] == '#' && column_of(text, word) > outer;
  return comment ? static_cast<size_t>(column_of(text, word))
                 : static_cast<size_t>(outer) + indent_step(document);
}

/// A value behind the colon that has none.
Replacement write_behind_colon(const Document& document, const Entry& entry, bool flow,
                               const std::string& value) {
  const size_t end = end_of_entry(document.text, entry, flow);
  const bool colon =
      end > 0 && document.text[end - 1] == ':' && end > end_of_key(document.text, entry.key, flow);
  return {end, end, (colon ? " " : ": ") + value};
}

/// A value that takes lines of its own gives way to one behind `head_end`.
std::vector<Replacement> replace_lines(const Document& document, Replacement head, size_t body,
                                       size_t end) {
  return {std::move(head), {body, begin_of_next_line(document.text, end), ""}};
}

std::vector<Replacement> replace_value(const Document& document, const Spot& spot,
                                       const std::string& value) {
  const std::string_view text = document.text;
  const bool flow = spot.mapping->style == Node::Style::flow;
  const Node& old = spot.entry->value;
  if (old.style == Node::Style::implicit)
    return {write_behind_colon(document, *spot.entry, flow, value)};
  const size_t end = end_of_entry(text, *spot.entry, flow);
  if (old.style == Node::Style::block) {
    const size_t colon = find_colon(text, end_of_key(text, spot.entry->key, flow), flow) + 1;
    return replace_lines(document, {colon, colon, " " + value}, begin_of_line(text, old.begin),
                         end);
  }
  const size_t header_end = end_of_header(text, old.begin);
  if (old.style == Node::Style::block_scalar && end > header_end) {
    return replace_lines(document, {old.begin, header_end, value},
                         begin_of_next_line(text, header_end), end);
  }
  return {{old.begin, end, value}};
}

std::vector<Replacement> fill_empty_section(const Document& document, const Spot& spot,
                                            const std::string& value) {
  const bool flow = spot.mapping->style == Node::Style::flow;
  if (flow || spot.entry->value.style != Node::Style::implicit)
    return replace_value(document, spot, fmt::format("{{{}}}", flow_pair(spot.rest, value)));
  const size_t end = end_of_entry(document.text, *spot.entry, false);
  const size_t column = column_in_empty(document, *spot.entry);
  return {insert_lines(document, end, block_lines(document, spot.rest, value, column))};
}

std::vector<Replacement> add_key(const Document& document, const Spot& spot,
                                 const std::string& value) {
  if (spot.mapping == nullptr) {
    return {
        insert_lines(document, document.text.size(), block_lines(document, spot.rest, value, 0))};
  }
  if (spot.mapping->style == Node::Style::flow)
    return {append_to_flow(document, *spot.mapping, flow_pair(spot.rest, value))};
  return {append_to_block(document, *spot.mapping, spot.rest, value)};
}

}  // namespace

std::vector<Replacement> plan_set(const Document& document, std::string_view path,
                                  const Value& value, const Key* key) {
  const Spot spot = locate(document, document.root ? &*document.root : nullptr, path);
  if (spot.entry == nullptr)
    return add_key(document, spot, render_value(value, key, Node::Style::plain));
  if (!spot.rest.empty())
    return fill_empty_section(document, spot, render_value(value, key, Node::Style::plain));
  const Node& old = spot.entry->value;
  if (old.kind == Node::Kind::mapping)
    refuse(document, spot.entry->key.begin, path, "it is a section");
  return replace_value(document, spot, render_value(value, key, old.style));
}

}  // namespace seda::config::detail
