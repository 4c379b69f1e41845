// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seda/base/json.h"

namespace seda::cli {

/// What was found, for people: names in words and values with their units, nested ones with the
/// names that lead to them. Units come from the ends of the names: `_bytes`, `_s`, `_ms`, `_share`.
std::vector<std::pair<std::string, std::string>> evidence_lines(const Json& evidence);

/// `text` in lines of at most `width` columns, broken between words where they have any, each but
/// the first indented; `first` stands before the first. Ends with a line feed.
std::string folded(std::string_view first, std::string_view text, size_t indent, size_t width);

}  // namespace seda::cli
