// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::text {

/// Numbers of a language that has no rules of its own here: cardinals, ordinals, decimals, percents
/// and money as ICU knows them. `text` has its digits folded. Returns false and appends nothing
/// where ICU does not know the language.
bool speak_generic_numbers(std::string_view text, std::string_view language, std::string& out);

}  // namespace seda::text
