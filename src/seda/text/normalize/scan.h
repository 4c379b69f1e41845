// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace seda::text {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
inline bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
inline bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}
inline bool is_beyond_ascii(char c) {
  return static_cast<unsigned char>(c) >= 0x80;
}

/// The byte at `at`, or NUL where there is none: before the start (wrapped) or past the end.
inline char byte_at(std::string_view text, size_t at) {
  return at < text.size() ? text[at] : '\0';
}

inline bool has_at(std::string_view text, size_t at, std::string_view what) {
  return at <= text.size() && text.substr(at, what.size()) == what;
}

inline size_t skip_digits(std::string_view text, size_t at) {
  while (is_digit(byte_at(text, at)))
    ++at;
  return at;
}

inline size_t skip_space(std::string_view text, size_t at) {
  return byte_at(text, at) == ' ' ? at + 1 : at;
}

/// Past letters of which no step for characters has anything to say: ASCII ones and the plain
/// letters of Arabic script. Most text is made of them, and they need no lookup.
size_t skip_letters(std::string_view text, size_t at);

/// The same with ASCII spaces.
size_t skip_plain(std::string_view text, size_t at);

/// Appends what `skip_plain` passes; returns where it ends.
size_t append_plain(std::string& out, std::string_view text, size_t at);

/// Words are never looked at further than this, so that every look is of bounded cost.
constexpr size_t kLongestWord = 40;

/// Whether the character that ends before `at`, or begins at it, is a letter, a digit or part of
/// one: dashes, quotes, spaces and symbols of any script are not.
bool word_ends_before(std::string_view text, size_t at);
bool word_begins_at(std::string_view text, size_t at);

/// The character that ends before `at`, or begins at it; 0 at the ends of the text.
char32_t character_before(std::string_view text, size_t at);
char32_t character_at(std::string_view text, size_t at);

/// The run of ASCII letters that begins at `at`, or that ends before it.
std::string_view letters_at(std::string_view text, size_t at);
std::string_view letters_before(std::string_view text, size_t at);

/// The word before `at`, a space, point and comma skipped: ASCII letters and what is beyond ASCII.
std::string_view word_before(std::string_view text, size_t at);

/// Length of the dash at `at` (hyphen, en dash or minus), or 0.
size_t dash_at(std::string_view text, size_t at);

/// Whether `word` is in a table, which must be sorted.
template <size_t N>
bool is_among(const std::array<std::string_view, N>& sorted, std::string_view word) {
  size_t low = 0;
  size_t high = N;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (sorted[middle] < word) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < N && sorted[low] == word;
}

/// Appends what has no other reading: the ASCII letters of the word that `starts` at `at`, else the
/// one byte there. Returns where it ends.
size_t append_as_is(std::string& out, std::string_view text, size_t at, bool starts);

/// Appends `word`, after a space where `out` ends in neither a space nor nothing.
void append_word(std::string& out, std::string_view word);

}  // namespace seda::text
