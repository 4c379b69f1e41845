// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::text {

/// Letters, marks and digits of every script.
bool is_word_character(char32_t character);

/// Control, unassigned, private use, surrogate: nothing anybody speaks.
bool is_unspeakable(char32_t character);

/// A space of any width, or a line end.
bool is_space_character(char32_t character);

/// 0 to 9 for a decimal digit of any script, else -1.
int digit_value(char32_t character);

/// Shown as a picture: emoji by itself or with U+FE0F. Digits, `#`, `*`, ©, ® and ™ are not.
bool is_emoji(char32_t character);

/// Shown as text unless U+FE0F follows (☎, ♥, ↔).
bool is_text_emoji(char32_t character);

/// Appends the compatibility form (NFKC) of one character.
void append_compatible(std::string& out, char32_t character);

/// Brings `text`, which is UTF-8, to NFC; returns false where it already was, without touching it.
bool compose(std::string& text);

/// Lower case by the rules of `language`.
std::string to_lower(std::string_view text, std::string_view language);

}  // namespace seda::text
