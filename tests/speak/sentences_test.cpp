// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/utf8.h"

namespace seda::speak {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Sentences, EndWithTheirMarks) {
  EXPECT_THAT(split_sentences("One. Two! Three? Four… Five"),
              ElementsAre("One.", "Two!", "Three?", "Four…", "Five"));
  EXPECT_THAT(split_sentences("Really?! Yes..."), ElementsAre("Really?!", "Yes..."));
}

TEST(Sentences, OfPersianEndWithTheirOwnMarks) {
  EXPECT_THAT(split_sentences("سلام؛ خوبی؟ من خوبم. ممنون!"),
              ElementsAre("سلام؛", "خوبی؟", "من خوبم.", "ممنون!"));
}

TEST(Sentences, OfWideScriptsNeedNoSpace) {
  EXPECT_THAT(split_sentences("你好。再见！好"), ElementsAre("你好。", "再见！", "好"));
}

TEST(Sentences, KeepWhatClosesBehindTheirMark) {
  EXPECT_THAT(split_sentences("He said \"Go.\" She went. («برو.») رفت"),
              ElementsAre("He said \"Go.\"", "She went.", "(«برو.»)", "رفت"));
}

TEST(Sentences, DoNotEndAtAbbreviationsNumbersAndSmallLetters) {
  EXPECT_THAT(split_sentences("Dr. Smith met Mrs. Jones. They paid 3.50 pounds."),
              ElementsAre("Dr. Smith met Mrs. Jones.", "They paid 3.50 pounds."));
  EXPECT_THAT(split_sentences("Fruit, e.g. Apples, by J. R. Brown."),
              ElementsAre("Fruit, e.g. Apples, by J. R. Brown."));
  EXPECT_THAT(split_sentences("See www.example.com now. It was approx. ten."),
              ElementsAre("See www.example.com now.", "It was approx. ten."));
  EXPECT_THAT(split_sentences("So did I. Then he left."),
              ElementsAre("So did I.", "Then he left."));
}

TEST(Sentences, EndAtLineBreaks) {
  EXPECT_THAT(split_sentences("A title\nThen text\r\n\r\nand more"),
              ElementsAre("A title", "Then text", "and more"));
}

TEST(Sentences, OfNothingAreNone) {
  EXPECT_THAT(split_sentences(""), IsEmpty());
  EXPECT_THAT(split_sentences(" \n\t "), IsEmpty());
}

std::string without_white(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) out += c;
  return out;
}

TEST(Sentences, LoseNothing) {
  const std::string text =
      "  \"Wait... what?\" — no;  he's gone.It ended,well (maybe!). \n؟!. \xff\xfe bytes. ۔ … end";
  std::string joined;
  for (const std::string& sentence : split_sentences(text)) {
    EXPECT_FALSE(sentence.empty());
    for (const std::string& piece : split_to_fit(
             sentence, [](std::string_view piece_text) { return count_utf8(piece_text) <= 5; })) {
      EXPECT_LE(count_utf8(piece), 5u);
      joined += piece;
    }
  }
  EXPECT_EQ(without_white(joined), without_white(text));
}

auto at_most(size_t characters) {
  return [characters](std::string_view text) { return count_utf8(text) <= characters; };
}

TEST(SplitToFit, LeavesWhatFitsWhole) {
  EXPECT_THAT(split_to_fit("one, two", at_most(8)), ElementsAre("one, two"));
}

TEST(SplitToFit, CutsAtMarksFirst) {
  EXPECT_THAT(split_to_fit("a bb ccc, dd eee f g h", at_most(13)),
              ElementsAre("a bb ccc,", "dd eee f g h"));
  EXPECT_THAT(split_to_fit("یک دو، سه چهار", at_most(8)), ElementsAre("یک دو،", "سه چهار"));
}

TEST(SplitToFit, ThenAtSpacesThenAnywhere) {
  EXPECT_THAT(split_to_fit("aaaa bbbb cccc", at_most(9)), ElementsAre("aaaa", "bbbb cccc"));
  EXPECT_THAT(split_to_fit("یکدوسهچه", at_most(4)), ElementsAre("یکدو", "سهچه"));
}

TEST(SplitToFit, EndsWhereNothingFits) {
  EXPECT_THAT(split_to_fit("ab c", [](std::string_view) { return false; }),
              ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace seda::speak
