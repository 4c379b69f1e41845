// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace seda {

constexpr char32_t kReplacementCharacter = 0xfffd;

/// Length of the well-formed UTF-8 character at `at`, or 0: overlong forms, surrogates, values
/// above U+10FFFF and cut sequences are not well-formed.
size_t utf8_length(std::string_view text, size_t at);

/// Where the first byte stands that is not UTF-8; nothing where all is well.
std::optional<size_t> find_invalid_utf8(std::string_view text);

/// The character at `at`, which moves past it. A byte that begins none is taken alone and becomes
/// U+FFFD.
char32_t decode_utf8(std::string_view text, size_t& at);

/// Appends a character; surrogates and values above U+10FFFF become U+FFFD.
void append_utf8(std::string& out, char32_t character);

/// Number of characters, each byte that begins none counted as one.
size_t count_utf8(std::string_view text);

/// The start of `text`, at most `most` bytes, not cut within a character.
std::string_view first_bytes(std::string_view text, size_t most);

/// The same to quote in a message: what is longer ends with "…".
std::string excerpt(std::string_view text, size_t most);

}  // namespace seda
