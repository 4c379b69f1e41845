// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"

namespace seda {

int json_nesting(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      deepest = std::max(deepest, ++depth);
    } else if (!quoted && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return deepest;
}

std::string to_json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text, std::string_view where) {
  if (const int levels = json_nesting(text); levels > kMostJsonLevels) {
    throw_error(ErrorKind::io, "{}: nested too deeply: expected at most {} levels, found {}", where,
                kMostJsonLevels, levels);
  }
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const auto before = text.substr(0, std::min<size_t>(error.byte, text.size()));
    const auto line = 1 + std::ranges::count(before, '\n');
    const auto last_break = before.rfind('\n');
    const auto column =
        last_break == std::string_view::npos ? before.size() : before.size() - last_break - 1;
    throw_error(ErrorKind::io, "{}:{}:{}: not valid JSON: {}", where, line, column, error.what());
  } catch (const Json::exception& error) {  // a number that no double holds
    throw_error(ErrorKind::io, "{}: not valid JSON: {}", where, error.what());
  }
}

void append_json_string(std::string& out, std::string_view text) {
  const bool plain = std::ranges::all_of(
      text, [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
  if (!plain) {
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

}  // namespace seda
