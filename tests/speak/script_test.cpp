// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/script.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/speak/letters.h"
#include "tests/support/error_message.h"

namespace seda::speak {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Pair;
using testing::SizeIs;
using testing_support::letters_frontend;

TEST(Script, HasTheTokensOfEachSentence) {
  const auto frontend = letters_frontend();
  const Script script = read_script("ab! cd ab!\nb", *frontend, "", 100);
  ASSERT_THAT(script.sentences, SizeIs(3));
  EXPECT_EQ(script.sentences[1].text, "cd ab!");
  EXPECT_EQ(script.sentences[1].tokens, frontend->apply("cd ab!", "").encoded.tokens);
  EXPECT_EQ(script.sentences[0].language, "en");
  EXPECT_THAT(script.unknown, IsEmpty());
}

TEST(Script, LeavesOutUnknownSymbolsAndCountsThem) {
  const auto frontend = letters_frontend();
  const Script script = read_script("aäbäcë.", *frontend, "", 100);
  ASSERT_THAT(script.sentences, SizeIs(1));
  EXPECT_EQ(script.sentences[0].tokens, frontend->apply("abc.", "").encoded.tokens);
  EXPECT_THAT(script.unknown, ElementsAre(Pair("ä", 2), Pair("ë", 1)));
}

TEST(Script, LeavesOutTheBlankOfAnUnknownSymbol) {
  const auto frontend = letters_frontend(true);
  const Script script = read_script("äaäbä", *frontend, "", 100);
  ASSERT_THAT(script.sentences, SizeIs(1));
  EXPECT_EQ(script.sentences[0].tokens, frontend->apply("ab", "").encoded.tokens);
}

TEST(Script, CutsSentencesThatAreTooLongBlanksNotCounted) {
  const auto frontend = letters_frontend(true);
  const Script script = read_script("abc abc abc, abc abc abc abc.", *frontend, "", 12);
  ASSERT_THAT(script.sentences, SizeIs(3));
  EXPECT_EQ(script.sentences[0].text, "abc abc abc,");
  for (const Sentence& sentence : script.sentences)
    EXPECT_THAT(sentence.tokens.size(), Le(2u * 12 + 1));
}

TEST(Script, CountsSentencesWithNothingToSay) {
  const Script script = read_script("ab. äö\ncd.", *letters_frontend(), "", 100);
  EXPECT_THAT(script.sentences, SizeIs(2));
  EXPECT_EQ(script.unspoken, 1u);
}

TEST(Script, OfNothingThatIsKnownIsQuoted) {
  EXPECT_THAT(seda::testing_support::error_message(
                  [] { read_script("ÄÖÜ", *letters_frontend(), "", 100); }),
              AllOf(HasSubstr("'ÄÖÜ'"), HasSubstr("nothing to say"), HasSubstr("unknown: 'Ä'")));
}

}  // namespace
}  // namespace seda::speak
