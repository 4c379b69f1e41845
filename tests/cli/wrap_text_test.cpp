// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/wrap_text.h"

#include <gtest/gtest.h>

namespace seda::cli {
namespace {

TEST(WrapText, BreaksAtBlanksBehindItsIndent) {
  EXPECT_EQ(wrap_text("one two three", 2, 9), "one two\n  three\n");
  EXPECT_EQ(wrap_text("averylongword x", 2, 9), "averylongword\n  x\n");
  EXPECT_EQ(wrap_text("صدا صدا صدا", 0, 7), "صدا صدا\nصدا\n");
  EXPECT_EQ(wrap_text("", 2, 9), "\n");
}

TEST(Folded, BreaksBetweenWordsAndIndents) {
  EXPECT_EQ(folded("- ", "one two three four five", 2, 14), "- one two\n  three four\n  five\n");
}

TEST(Folded, BreaksAWordThatIsLongerThanALine) {
  EXPECT_EQ(folded("", std::string(25, 'x'), 0, 20),
            std::string(20, 'x') + "\n" + std::string(5, 'x') + "\n");
}

TEST(Folded, CountsCharactersNotBytes) {
  EXPECT_EQ(folded("", "سلام سلام سلام", 0, 14), "سلام سلام سلام\n");
}

TEST(Folded, ALongNameHasALineOfItsOwn) {
  EXPECT_EQ(folded("a name of many words: ", "value", 4, 24),
            "a name of many words: \n    value\n");
}

}  // namespace
}  // namespace seda::cli
