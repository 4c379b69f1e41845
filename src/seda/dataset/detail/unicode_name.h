// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::dataset::detail {

/// Other ways to write a file's name in Unicode: composed (NFC) and decomposed (NFD), as far as
/// they differ from `name`. Systems disagree on which they store. None for ASCII.
std::vector<std::string> other_spellings(std::string_view name);

}  // namespace seda::dataset::detail
