// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::text {

/// Every sign that espeak-ng's IPA is made of, with punctuation: one fixed list for all languages,
/// so that a new line never moves an id. Later versions only append.
const std::vector<std::string>& phoneme_symbols();

/// Letters of Latin and of Arabic script with punctuation, and the alphabets of `languages` where
/// ICU knows them.
std::vector<std::string> character_symbols(const std::vector<std::string>& languages);

/// The alphabet of a language: letters of both cases in the order of their code points. Empty where
/// ICU knows none.
std::u32string alphabet(const std::string& language);

}  // namespace seda::text
