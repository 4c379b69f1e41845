// SPDX-License-Identifier: Apache-2.0
#include "seda/base/utf8.h"

#include <gtest/gtest.h>

namespace seda {
namespace {

TEST(Utf8, EveryCharacterSurvivesARoundTrip) {
  for (char32_t character = 0; character <= 0x10ffff; ++character) {
    if (character >= 0xd800 && character <= 0xdfff) continue;
    std::string text;
    append_utf8(text, character);
    size_t at = 0;
    ASSERT_EQ(decode_utf8(text, at), character);
    ASSERT_EQ(at, text.size());
    ASSERT_FALSE(find_invalid_utf8(text));
  }
}

TEST(Utf8, WhatIsNoCharacterIsWrittenAsTheReplacement) {
  for (const char32_t character : {char32_t{0xd800}, char32_t{0xdfff}, char32_t{0x110000}}) {
    std::string text;
    append_utf8(text, character);
    EXPECT_EQ(text, "\xef\xbf\xbd");
  }
}

TEST(Utf8, FindsTheFirstBadByte) {
  EXPECT_EQ(find_invalid_utf8("ab\xff"), 2u);
  EXPECT_EQ(find_invalid_utf8("\xc0\xaf"), 0u) << "overlong";
  EXPECT_EQ(find_invalid_utf8("\xe0\x80\xaf"), 0u) << "overlong";
  EXPECT_EQ(find_invalid_utf8("x\xed\xa0\x80"), 1u) << "surrogate";
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u) << "above U+10FFFF";
  EXPECT_EQ(find_invalid_utf8("\xd8\xb5\xd8"), 2u) << "cut short";
  EXPECT_EQ(find_invalid_utf8("صدا"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8(std::string_view("a\0b", 3)), std::nullopt);
}

TEST(Utf8, AnExcerptIsNotCutWithinACharacter) {
  EXPECT_EQ(excerpt("صدا", 6), "صدا");
  EXPECT_EQ(excerpt("صدا", 5), "صد…");
  EXPECT_EQ(excerpt("صدا", 1), "…");
  EXPECT_EQ(first_bytes("صدا", 4), "صد");
  EXPECT_EQ(first_bytes("\x80\x80\x80", 2), "") << "no character begins there";
}

TEST(Utf8, ABadByteIsTakenAlone) {
  const std::string_view text = "\xe2\x82z";
  size_t at = 0;
  EXPECT_EQ(decode_utf8(text, at), kReplacementCharacter);
  EXPECT_EQ(at, 1u);
  EXPECT_EQ(decode_utf8(text, at), kReplacementCharacter);
  EXPECT_EQ(decode_utf8(text, at), U'z');
  EXPECT_EQ(count_utf8(text), 3u);
}

}  // namespace
}  // namespace seda
