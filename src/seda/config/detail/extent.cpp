// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/extent.h"

#include <algorithm>

namespace seda::config::detail {
namespace {

constexpr auto kNone = std::string_view::npos;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_break(char c) {
  return c == '\n' || c == '\r';
}

bool is_flow_indicator(char c) {
  return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

/// Byte at `at`; a line feed past the end.
char byte_at(std::string_view text, size_t at) {
  return at < text.size() ? text[at] : '\n';
}

bool ends_plain(std::string_view text, size_t at, bool flow) {
  const char c = text[at];
  const char next = byte_at(text, at + 1);
  if (is_break(c)) return true;
  if (c == ':') return is_blank(next) || is_break(next) || (flow && is_flow_indicator(next));
  if (c == '#') return at > 0 && is_blank(text[at - 1]);
  return flow && is_flow_indicator(c);
}

/// Where the plain scalar's part on this line stops, blanks before that cut off.
size_t end_of_plain_line(std::string_view text, size_t begin, bool flow) {
  size_t at = begin;
  while (at < text.size() && !ends_plain(text, at, flow))
    ++at;
  while (at > begin && is_blank(text[at - 1]))
    --at;
  return at;
}

bool is_document_marker(std::string_view text, size_t line_begin) {
  const std::string_view mark = text.substr(line_begin, 3);
  const char next = byte_at(text, line_begin + 3);
  return (mark == "---" || mark == "...") && (is_blank(next) || is_break(next));
}

/// First word of the next line that is not blank, if it goes on with the scalar; npos otherwise.
size_t continuation(std::string_view text, size_t end, Context context) {
  const size_t rest = text.find_first_not_of(" \t", end);
  if (rest == kNone || !is_break(text[rest])) return kNone;
  const size_t word = text.find_first_not_of(" \t\r\n", rest);
  if (word == kNone || text[word] == '#') return kNone;
  if (is_document_marker(text, begin_of_line(text, word))) return kNone;
  if (context.flow) return is_flow_indicator(text[word]) ? kNone : word;
  return column_of(text, word) > context.indent ? word : kNone;
}

size_t end_of_plain(std::string_view text, size_t begin, Context context) {
  size_t end = end_of_plain_line(text, begin, context.flow);
  for (size_t next = continuation(text, end, context); next != kNone;
       next = continuation(text, end, context)) {
    const size_t next_end = end_of_plain_line(text, next, context.flow);
    if (next_end == next) break;
    end = next_end;
  }
  return end;
}

/// The line's content without its line break.
std::string_view line_at(std::string_view text, size_t begin) {
  const size_t feed = std::min(text.find('\n', begin), text.size());
  const std::string_view line = text.substr(begin, feed - begin);
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// Column that a block scalar's lines must reach: an explicit `|2` or that of its first line.
int body_indent(std::string_view text, size_t begin, size_t header_end, Context context) {
  for (const char c : text.substr(begin, header_end - begin)) {
    if (c >= '1' && c <= '9') return std::max(context.indent, 0) + (c - '0');
  }
  const size_t word = text.find_first_not_of(" \t\r\n", begin_of_next_line(text, header_end));
  return word == kNone ? context.indent + 1 : std::max(column_of(text, word), context.indent + 1);
}

size_t end_of_block_scalar(std::string_view text, size_t begin, Context context) {
  const size_t header_end = end_of_header(text, begin);
  const bool keeps = text.substr(begin, header_end - begin).find('+') != kNone;
  const int indent = body_indent(text, begin, header_end, context);
  size_t end = header_end;
  for (size_t at = begin_of_next_line(text, header_end); at < text.size();
       at = begin_of_next_line(text, at)) {
    const std::string_view line = line_at(text, at);
    const size_t word = line.find_first_not_of(' ');
    if (word != kNone && static_cast<int>(word) < indent) break;
    if (word != kNone || keeps) end = at + line.size();
  }
  return end;
}

/// Offset after the last byte of `node`, without comments and blank lines behind it. The header's
/// end for an empty block scalar. Not for an implicit null.
size_t end_of_node(std::string_view text, const Node& node, Context context);

size_t last_end(std::string_view text, const Node& node, Context context) {
  if (!node.items.empty()) return end_of_node(text, node.items.back(), context);
  if (!node.entries.empty()) return end_of_entry(text, node.entries.back(), context.flow);
  return node.begin + 1;
}

size_t end_of_flow(std::string_view text, const Node& node, Context context) {
  context.flow = true;
  size_t at = skip_space(text, last_end(text, node, context));
  while (at < text.size() && (text[at] == ',' || text[at] == ':'))
    at = skip_space(text, at + 1);
  return std::min(at + 1, text.size());
}

size_t end_of_node(std::string_view text, const Node& node, Context context) {
  switch (node.style) {
    case Node::Style::single_quoted:
    case Node::Style::double_quoted:
      return std::min(end_of_quoted(text, node.begin), text.size());
    case Node::Style::block_scalar:
      return end_of_block_scalar(text, node.begin, context);
    case Node::Style::plain:
      return end_of_plain(text, node.begin, context);
    case Node::Style::flow:
      return end_of_flow(text, node, context);
    case Node::Style::block:
      return last_end(text, node, context);
    case Node::Style::implicit:
      break;
  }
  return node.begin;
}

}  // namespace

size_t end_of_quoted(std::string_view text, size_t begin) {
  const char quote = text[begin];
  for (size_t at = begin + 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote != '\'' || byte_at(text, at + 1) != '\'') return at + 1;
      ++at;
    }
  }
  return kNone;
}

size_t end_of_key(std::string_view text, const Node& key, bool flow) {
  if (key.quoted()) return std::min(end_of_quoted(text, key.begin), text.size());
  return end_of_plain_line(text, key.begin, flow);
}

size_t find_colon(std::string_view text, size_t end, bool flow) {
  const size_t at = flow ? skip_space(text, end) : text.find_first_not_of(" \t", end);
  return at < text.size() && text[at] == ':' ? at : kNone;
}

size_t end_of_header(std::string_view text, size_t begin) {
  return std::min(text.find_first_not_of("|>+-0123456789", begin), text.size());
}

size_t end_of_entry(std::string_view text, const Entry& entry, bool flow) {
  if (entry.value.style != Node::Style::implicit) {
    return end_of_node(text, entry.value,
                       {.indent = column_of(text, entry.key.begin), .flow = flow});
  }
  const size_t end = end_of_key(text, entry.key, flow);
  const size_t colon = find_colon(text, end, flow);
  return colon == kNone ? end : colon + 1;
}

size_t skip_space(std::string_view text, size_t at) {
  while (at < text.size()) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_blank(text[at]) || is_break(text[at])) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

size_t begin_of_line(std::string_view text, size_t at) {
  const size_t feed = at == 0 ? kNone : text.rfind('\n', at - 1);
  return feed == kNone ? 0 : feed + 1;
}

size_t begin_of_next_line(std::string_view text, size_t at) {
  const size_t feed = text.find('\n', at);
  return feed == kNone ? text.size() : feed + 1;
}

int column_of(std::string_view text, size_t at) {
  return static_cast<int>(at - begin_of_line(text, at));
}

}  // namespace seda::config::detail
