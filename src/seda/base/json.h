// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace seda {

/// A JSON value that keeps the order of its keys. Include <nlohmann/json.hpp> where one is built.
using Json = nlohmann::ordered_json;

/// Text of `value`, indented by `indent` spaces or on one line when negative. Numbers that are not
/// finite become null; bytes that are not UTF-8 become U+FFFD, so that the result always parses.
std::string to_json_text(const Json& value, int indent = 2);

/// As deep as brackets may be nested: what walks over a value recurses.
inline constexpr int kMostJsonLevels = 64;

/// Deepest nesting of brackets outside strings.
int json_nesting(std::string_view text);

/// Parses `text`; an Error(io) names `where`, line and column (but for a number that is too large).
/// More than kMostJsonLevels are refused.
Json parse_json(std::string_view text, std::string_view where);

/// Appends `text` as a quoted JSON string, under the same rule for bytes that are not UTF-8.
void append_json_string(std::string& out, std::string_view text);

}  // namespace seda
