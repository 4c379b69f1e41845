// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::config {

/// What changed between two texts, line by line, as `diff -u` shows it: hunks with `context` lines
/// around, a remark where the last line has no line feed. Empty where nothing changed.
std::string diff(std::string_view before, std::string_view after, std::string_view name,
                 size_t context = 3);

}  // namespace seda::config
