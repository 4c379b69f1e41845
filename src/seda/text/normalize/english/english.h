// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// The English side of the steps. Each appends to `out`; time is linear.
namespace seda::text::english {

/// `text` has its digits folded (numeral.h).
void speak_numbers(std::string_view text, bool british, std::string& out);

/// "Dr. Smith" → "Doctor Smith", "Main St." → "Main Street". What is uncertain stays.
void expand_abbreviations(std::string_view text, std::string& out);

/// "Henry VIII" → "Henry the eighth", "Chapter IV" → "Chapter four".
void speak_roman(std::string_view text, std::string& out);

/// Whether a line is all in capitals: three words or more, and no small letter.
bool is_shouted(std::string_view text);

/// "FBI" → "F B I"; "NASA" stays, and so does a line that is shouted.
void spell_acronyms(std::string_view text, std::string& out);

/// The point of an abbreviation that ends before `at` also ends the sentence.
bool ends_sentence(std::string_view text, size_t at);

}  // namespace seda::text::english
