// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/text_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda::feed {
namespace {

using testing::ElementsAre;
using text::TokenizerKind;

TextOptions parsed(const std::string& yaml) {
  auto reading = config::parse_config(yaml, "seda.yaml");
  EXPECT_TRUE(reading.problems.empty()) << yaml;
  return text_options(reading.config);
}

TEST(TextOptions, OfNothingArePhonemesOfDetectedLanguages) {
  const TextOptions options = text_options(config::Config());
  EXPECT_EQ(options.tokenizer, TokenizerKind::phonemes);
  EXPECT_TRUE(options.frontend.phonemes);
  EXPECT_TRUE(options.add_blank);
  EXPECT_EQ(options.frontend.language, "");
}

TEST(TextOptions, WithoutPhonemesAreLetters) {
  const TextOptions options = parsed("data: {text: {phonemes: false}}");
  EXPECT_EQ(options.tokenizer, TokenizerKind::characters);
  EXPECT_FALSE(options.frontend.phonemes);
}

TEST(TextOptions, AChosenTokenizerDecidesAboutPhonemes) {
  EXPECT_FALSE(parsed("data: {text: {tokenizer: characters}}").frontend.phonemes);
  EXPECT_FALSE(parsed("data: {text: {tokenizer: sentencepiece}}").frontend.phonemes);
  EXPECT_TRUE(parsed("data: {text: {tokenizer: sentencepiece, phonemes: true}}").frontend.phonemes);
  EXPECT_EQ(parsed("data: {text: {tokenizer_model: x.model}}").tokenizer,
            TokenizerKind::sentencepiece);
}

TEST(TextOptions, CarryEveryKey) {
  const TextOptions options = parsed(
      "data: {text: {language: fa, cleaners: [unicode, whitespace], diacritics: remove, add_blank: "
      "false, vocabulary_size: 99}}");
  EXPECT_EQ(options.frontend.language, "fa");
  EXPECT_THAT(options.frontend.normalizer.cleaners, ElementsAre("unicode", "whitespace"));
  EXPECT_EQ(options.frontend.normalizer.diacritics, text::Diacritics::remove);
  EXPECT_FALSE(options.add_blank);
  EXPECT_EQ(options.vocabulary_size, 99);
}

}  // namespace
}  // namespace seda::feed
