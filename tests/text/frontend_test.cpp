// SPDX-License-Identifier: Apache-2.0
#include "seda/text/frontend.h"

#include <cstdlib>
#include <iostream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "tests/support/shared_data.h"

namespace seda::text {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Frontend full(FrontendOptions options = {}) {
  std::shared_ptr<const Tokenizer> tokenizer = make_fixed_tokenizer(options, true);
  return Frontend(std::move(options), std::move(tokenizer));
}

Frontend english_phonemes() {
  FrontendOptions options;
  options.stage = Stage::phonemes;
  return Frontend(options, nullptr);
}

TEST(Frontend, GoesFromTextToTokens) {
  const Frontend frontend = full();
  const Line line = frontend.apply("Dr. Smith paid $3 for the tickets.", "");
  EXPECT_EQ(line.language.code, "en");
  EXPECT_EQ(line.normalized, "Doctor Smith paid three dollars for the tickets.");
  EXPECT_TRUE(line.phonemes.starts_with("dˈɑːktɚ smˈɪθ")) << line.phonemes;
  EXPECT_THAT(line.encoded.unknown, IsEmpty());
  EXPECT_EQ(line.encoded.tokens.size() % 2, 1u) << "blanks at both ends";
}

TEST(Frontend, SpeaksLettersWithoutPhonemes) {
  FrontendOptions options;
  options.phonemes = false;
  const Frontend frontend(options, make_fixed_tokenizer(options, false));
  const Line line = frontend.apply("سلام ☃", "fa");
  EXPECT_EQ(line.phonemes, "");
  EXPECT_EQ(frontend.tokenizer()->kind(), TokenizerKind::characters);
}

TEST(Frontend, MetadataComesFirstThenTheOptionThenTheWords) {
  FrontendOptions options;
  options.stage = Stage::normalize;
  EXPECT_EQ(Frontend(options, nullptr).apply("The cat sat on the mat.", "de").language.code, "de");
  EXPECT_EQ(Frontend(options, nullptr).apply("The cat sat on the mat.", "").language.code, "en");
  options.language = "fr";
  EXPECT_EQ(Frontend(options, nullptr).apply("The cat sat on the mat.", "").language.code, "fr");
  EXPECT_EQ(Frontend(options, nullptr).apply("The cat sat.", "de").language.code, "de");
}

TEST(Frontend, RemembersLines) {
  FrontendOptions options;
  options.stage = Stage::normalize;
  const Frontend frontend(options, nullptr);
  for (int i = 0; i < 3; ++i)
    frontend.apply("The cat sat on the mat.", "");
  EXPECT_EQ(frontend.language_memo(), (MemoCounts{2, 1}));
  EXPECT_EQ(frontend.normalization_memo(), (MemoCounts{2, 1}));
}

TEST(Frontend, LinesOfALanguageThatWasToldAreRememberedWithoutAskingForIt) {
  FrontendOptions options;
  options.stage = Stage::normalize;
  const Frontend frontend(options, nullptr);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(frontend.apply("The cat sat on the mat.", "de").language.code, "de");
  EXPECT_EQ(frontend.apply("The cat sat on the mat.", "").language.code, "en");
  EXPECT_EQ(frontend.language_memo(), (MemoCounts{0, 1}));
  EXPECT_EQ(frontend.normalization_memo(), (MemoCounts{2, 2}));
}

TEST(Frontend, TheSameLineInTwoLanguagesIsTwoLines) {
  FrontendOptions options;
  options.stage = Stage::normalize;
  const Frontend frontend(options, nullptr);
  EXPECT_NE(frontend.apply("12", "en").normalized, frontend.apply("12", "de").normalized);
}

TEST(Frontend, DescriptionChangesWithEveryParameter) {
  const Json base = full().description();
  FrontendOptions options;
  options.language = "en";
  EXPECT_NE(full(options).description(), base);
  options = {};
  options.normalizer.cleaners = {"unicode", "whitespace"};
  EXPECT_NE(full(options).description(), base);
  options.normalizer.cleaners = {"whitespace", "unicode"};
  const Json swapped = full(options).description();
  options.normalizer.cleaners = {"unicode", "whitespace"};
  EXPECT_NE(full(options).description(), swapped) << "the order of steps counts";
  options = {};
  options.normalizer.diacritics = Diacritics::remove;
  EXPECT_NE(full(options).description(), base);
  options = {};
  options.phonemes = false;
  EXPECT_NE(full(options).description(), base);
  options = {};
  options.memo_capacity = 0;
  EXPECT_EQ(full(options).description(), base) << "changes no result";
}

TEST(Frontend, ThreadsAgreeWithOne) {
  const Frontend frontend = full();
  const std::vector<std::string> lines = {"It cost 12.50 in 1998.", "کتاب‌های ۱۲ نفر",
                                          "Hello!", "سلام hello", "…"};
  std::vector<Encoded> expected;
  for (const auto& line : lines)
    expected.push_back(frontend.apply(line, "").encoded);
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        for (size_t i = 0; i < lines.size(); ++i)
          ASSERT_EQ(frontend.apply(lines[i], "").encoded, expected[i]);
      }
    });
  }
}

size_t edit_distance_of_words(const std::string& a, const std::string& b) {
  const auto words = [](const std::string& text) {
    std::vector<std::string> out(1);
    for (const char c : text)
      c == ' ' ? out.emplace_back() : out.back() += c, void();
    return out;
  };
  const auto left = words(a);
  const auto right = words(b);
  std::vector<size_t> row(right.size() + 1);
  for (size_t j = 0; j < row.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= left.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= right.size(); ++j) {
      const size_t substituted = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, substituted}));
    }
  }
  return row.back();
}

/// Without what changed between versions of espeak-ng: the weak vowel of "report", the vowel of
/// "on", assimilated n, doubled r, and where stress falls.
std::string without_version(std::string phonemes) {
  const std::pair<const char*, const char*> changes[] = {
      {"ᵻ", "ɪ"}, {"ɔː", "ɑː"}, {"ɔ", "ɑː"},  {"ɑːː", "ɑː"},  {"ŋk", "nk"},  {"ɹɹ", "ɹ"},
      {"ˈ", ""},  {"ˌ", ""},    {"ɪz", "iz"}, {"hɐd", "hæd"}, {"ɪsd", "ɪst"}};
  for (const auto& [from, to] : changes) {
    for (size_t at = 0; (at = phonemes.find(from, at)) != std::string::npos;)
      phonemes.replace(at, std::string_view(from).size(), to);
  }
  return phonemes;
}

TEST(Frontend, AgreesWithPublishedPhonemesOfLjspeech) {
  const auto folder = testing_support::shared_data();
  if (!std::filesystem::exists(folder / "ljspeech_phonemes_val.csv")) {
    GTEST_SKIP() << "no published phonemes in " << folder;
  }
  const auto texts = testing_support::read_pairs(folder / "ljspeech_transcripts.csv");
  const auto published = testing_support::read_pairs(folder / "ljspeech_phonemes_val.csv");
  const Frontend frontend = english_phonemes();
  size_t words = 0;
  size_t different = 0;
  size_t truly_different = 0;
  for (const auto& [id, expected] : published) {
    const std::string found = frontend.apply(texts.at(id), "en").phonemes;
    words += static_cast<size_t>(std::ranges::count(expected, ' ')) + 1;
    different += edit_distance_of_words(expected, found);
    const size_t edits = edit_distance_of_words(without_version(expected), without_version(found));
    truly_different += edits;
    if (edits > 0 && std::getenv("SEDA_SHOW_DIFFERENCES") != nullptr) {
      std::cout << id << "\n  text      " << texts.at(id) << "\n  published " << expected
                << "\n  here      " << found << "\n";
    }
  }
  std::cout << different << " of " << words << " words differ, " << truly_different
            << " beyond what versions of espeak-ng differ in\n";
  EXPECT_LT(different, words / 10);
  EXPECT_LT(truly_different, words / 25);
}

}  // namespace
}  // namespace seda::text
