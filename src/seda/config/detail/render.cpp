// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/render.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "seda/base/ascii.h"

namespace seda::config::detail {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool starts_plain(char c) {
  return is_letter_or_digit(c) || c == '_' || c == '.' || c == '/';
}

bool continues_plain(char c) {
  return is_letter_or_digit(c) ||
         std::string_view("_./+-=@~^$;()<> ").find(c) != std::string_view::npos;
}

/// Words that some YAML reader takes for something other than text.
bool is_reserved(std::string_view text) {
  constexpr std::array<std::string_view, 14> kWords = {
      "null", "true", "false", "yes", "no", "on", "off", "y", "n", "t", "f", ".inf", ".nan", "="};
  return std::ranges::find(kWords, lower_ascii(text)) != kWords.end();
}

bool looks_numeric(std::string_view text) {
  const char first = text.front() == '.' && text.size() > 1 ? text[1] : text.front();
  return first >= '0' && first <= '9';
}

bool is_plain(std::string_view text) {
  if (text.empty() || text.ends_with(' ') || is_reserved(text) || looks_numeric(text)) return false;
  if (text.starts_with("...")) return false;
  return starts_plain(text.front()) && std::ranges::all_of(text, continues_plain);
}

bool needs_escapes(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string in_double_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string unset_word(const Key* key) {
  return key == nullptr ? "auto" : key->unset_word;
}

Node scalar_node(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.style = Node::Style::plain;
  node.text = std::move(text);
  return node;
}

}  // namespace

std::string render_text(std::string_view text, Node::Style style) {
  if (style == Node::Style::double_quoted || needs_escapes(text)) return in_double_quotes(text);
  if (style == Node::Style::single_quoted || !is_plain(text)) return in_single_quotes(text);
  return std::string(text);
}

std::string render_value(const Value& value, const Key* key, Node::Style style) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    const bool device = key != nullptr && key->type == Type::device;
    return device ? *text : render_text(*text, style);
  }
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr) return to_text(value, unset_word(key));
  std::string out;
  for (const std::string& element : *list)
    out += (out.empty() ? "" : ", ") + render_text(element);
  return "[" + out + "]";
}

Node node_of(const Value& value, const Key* key) {
  const auto* list = std::get_if<std::vector<std::string>>(&value);
  if (list == nullptr) return scalar_node(to_text(value, unset_word(key)));
  Node node;
  node.kind = Node::Kind::sequence;
  for (const std::string& element : *list)
    node.items.push_back(scalar_node(element));
  return node;
}

}  // namespace seda::config::detail
