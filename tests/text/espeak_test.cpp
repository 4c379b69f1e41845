// SPDX-License-Identifier: Apache-2.0
#include "seda/text/espeak.h"

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"

namespace seda::text {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

TEST(Espeak, WritesIpa) {
  Espeak espeak(find_espeak(), "en-us");
  EXPECT_EQ(espeak.phonemes("hello world"), "həlˈoʊ wˈɜːld");
  EXPECT_EQ(espeak.phonemes(""), "");
}

TEST(Espeak, SpeaksPersian) {
  Espeak espeak(find_espeak(), "fa");
  EXPECT_GT(espeak.speak("سلام").size(), static_cast<size_t>(espeak.sample_rate()) / 10);
}

TEST(Espeak, MarksOfALanguageSwitchAreRemoved) {
  Espeak espeak(find_espeak(), "fa");
  EXPECT_EQ(espeak.phonemes("سلام hello").find('('), std::string::npos);
}

TEST(Espeak, CopiesWorkSideBySideAndAgree) {
  const EspeakLocation location = find_espeak();
  const std::string words = "the quick brown fox jumps over twenty three lazy dogs";
  const std::string expected = Espeak(location, "en-us").phonemes(words);
  const std::string persian = Espeak(location, "fa").phonemes("کتاب‌های خوب");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      Espeak espeak(location, i % 2 == 0 ? "en-us" : "fa");
      for (int round = 0; round < 50; ++round) {
        if (i % 2 == 0) {
          ASSERT_EQ(espeak.phonemes(words), expected);
        } else {
          ASSERT_EQ(espeak.phonemes("کتاب‌های خوب"), persian);
        }
      }
    });
  }
}

TEST(Espeak, AnUnknownVoiceIsNamed) {
  const std::string message = error_message([] { Espeak(find_espeak(), "xx-nowhere"); });
  EXPECT_THAT(message, HasSubstr("no voice 'xx-nowhere'"));
}

TEST(Espeak, AFolderWithoutItIsNamed) {
  setenv("SEDA_ESPEAK", "/nowhere", 1);
  const std::string message = error_message([] { find_espeak(); });
  unsetenv("SEDA_ESPEAK");
  EXPECT_THAT(message, HasSubstr("SEDA_ESPEAK=/nowhere"));
}

}  // namespace
}  // namespace seda::text
