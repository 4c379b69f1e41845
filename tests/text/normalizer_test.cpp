// SPDX-License-Identifier: Apache-2.0
#include "seda/text/normalizer.h"

#include <thread>

#include <gmock/gmock.h>

#include "seda/base/error.h"
#include "seda/config/schema.h"
#include "tests/text/normalize/spoken_case.h"

namespace seda::text {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> names(const std::vector<Cleaner>& list) {
  std::vector<std::string> all;
  for (const Cleaner& cleaner : list)
    all.emplace_back(cleaner.name);
  return all;
}

TEST(Normalizer, RunsTheDefaultStepsInOrder) {
  std::vector<std::string> expected;
  for (const Cleaner& cleaner : cleaners()) {
    if (cleaner.by_default) expected.emplace_back(cleaner.name);
  }
  EXPECT_EQ(names(Normalizer().steps()), expected);
  EXPECT_EQ(std::ranges::count(expected, "lowercase"), 0);
}

TEST(Normalizer, EveryCleanerSaysWhatItDoes) {
  for (const Cleaner& cleaner : cleaners()) {
    EXPECT_GE(cleaner.version, 1) << cleaner.name;
    EXPECT_FALSE(cleaner.meaning.empty()) << cleaner.name;
  }
}

TEST(Normalizer, RunsOnlyTheNamedStepsInTheirOrder) {
  const Normalizer normalizer({.cleaners = {"numbers", "lowercase"}});
  EXPECT_EQ(names(normalizer.steps()), (std::vector<std::string>{"numbers", "lowercase"}));
  EXPECT_EQ(normalizer.apply("Dr. X has  5!!!", "en").text, "dr. x has  five!!!");
}

TEST(Normalizer, WhatWasMadeSmallIsNotShouted) {
  const Normalizer normalizer({.cleaners = {"lowercase", "numbers"}});
  EXPECT_EQ(normalizer.apply("THE FOX JUMPED OVER 5", "en").text, "the fox jumped over five");
}

TEST(Normalizer, LowercaseFollowsTheLanguage) {
  const Normalizer normalizer({.cleaners = {"lowercase"}});
  EXPECT_EQ(normalizer.apply("ÉTÉ DIM", "fr").text, "été dim");
  EXPECT_EQ(normalizer.apply("DIM", "tr").text, "dım");
}

TEST(Normalizer, UnknownCleanerNamesTheNearest) {
  try {
    const Normalizer normalizer({.cleaners = {"nubmers"}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_THAT(error.what(), HasSubstr("Did you mean 'numbers'?"));
  }
}

TEST(Normalizer, RefusesACleanerNamedTwice) {
  EXPECT_THROW(Normalizer({.cleaners = {"numbers", "numbers"}}), Error);
}

TEST(Normalizer, ConfigurationAllowsExactlyTheseCleaners) {
  const auto* key = config::find_key("data.text.cleaners");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->choices, names(cleaners()));
}

TEST(Normalizer, CountsEmojiOnce) {
  struct Case {
    std::string_view line;
    std::string_view text;
    uint32_t emoji;
  };
  for (const Case& entry : std::to_array<Case>({
           {"Hello 😀 world", "Hello world", 1},
           {"family👨‍👩‍👧‍👦here", "family here", 1},
           {"flags 🇮🇷🇩🇪", "flags", 2},
           {"skin 👍🏽!", "skin!", 1},
           {"keycap 1️⃣ done", "keycap done", 1},
           {"England 🏴󠁧󠁢󠁥󠁮󠁧󠁿.", "England.", 1},
           {"heart ❤️ and ♥", "heart and", 2},
           {"© and ™ and 5 and #x", "copyright and and five and hashtag x", 0},
       })) {
    const Normalized result = default_normalizer().apply(entry.line, "en");
    EXPECT_EQ(result.text, entry.text);
    EXPECT_EQ(result.emoji, entry.emoji) << entry.line;
    EXPECT_EQ(result.dropped, 0u) << entry.line;
  }
}

TEST(Normalizer, CountsWhatItDrops) {
  const auto dropped = [](std::string_view line) {
    return default_normalizer().apply(line, "en").dropped;
  };
  EXPECT_EQ(dropped("a\x01"
                    "b\x7f"),
            2u);
  EXPECT_EQ(dropped("a\xff\xfe"), 2u);
  EXPECT_EQ(dropped("\uE000x"), 1u) << "private use";
  EXPECT_EQ(dropped("a\u00adb\u200e\u200b\ufeff"), 0u) << "invisible, nothing is lost";
  EXPECT_EQ(dropped("a\tb\n"), 0u) << "spaces";
}

TEST(Normalizer, InvisibleCharactersGo) {
  EXPECT_EQ(normalize("so\u00adft \u202bx\u202c \ufeffy", "en"), "soft x y");
  EXPECT_EQ(normalize("Ｆｕｌｌ　ｗｉｄｔｈ ５", "en"), "Full width five");
  EXPECT_EQ(normalize("ﬁne \u2163", "en"), "fine four");
}

TEST(Normalizer, IsSharedByThreads) {
  const Normalizer normalizer;
  const std::string expected = normalizer.apply("Am 21. Mai 1.234,5 €", "de").text;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        EXPECT_EQ(normalizer.apply("Am 21. Mai 1.234,5 €", "de").text, expected);
        EXPECT_EQ(normalizer.apply("$5 in 1984", "en").text,
                  "five dollars in nineteen eighty-four");
        EXPECT_EQ(normalizer.apply("می شود ۵", "fa").text, "می‌شود پنج");
      }
    });
  }
}

}  // namespace
}  // namespace seda::text
