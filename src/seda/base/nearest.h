// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace seda {

/// Fewest insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, byte
/// by byte.
size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate most like `word`, if any is near enough to be what was meant: within a third of
/// the longer one's length, at least one edit. Upper and lower case, `-` and `_` count as equal.
/// The first of equals wins.
std::optional<std::string> nearest_name(std::string_view word,
                                        std::span<const std::string> candidates);

}  // namespace seda
