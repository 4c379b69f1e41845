// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "seda/text/normalizer.h"

/// The Persian side of the steps. Each appends to `out`; time is linear.
namespace seda::text::persian {

/// `text` has its digits folded (numeral.h).
void speak_numbers(std::string_view text, std::string& out);

/// «ه.ش.» → «هجری شمسی», «ص. 5» → «صفحه 5».
void expand_abbreviations(std::string_view text, std::string& out);

/// Arabic letters to Persian ones, presentation forms to letters.
std::string unify_letters(std::string_view text);

/// «می شود» → «می‌شود», «کتاب ها» → «کتاب‌ها»; joiners that
/// join nothing go.
void join_words(std::string_view text, std::string& out);

}  // namespace seda::text::persian
