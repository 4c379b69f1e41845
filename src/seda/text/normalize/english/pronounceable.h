// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace seda::text::english {

/// Whether capitals are read as a word ("NASA", "NOT") rather than letter by letter ("FBI"): by two
/// lists, else by length and by the clusters of consonants with which English words begin and end.
bool is_read_as_word(std::string_view capitals);

}  // namespace seda::text::english
