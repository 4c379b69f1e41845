// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/json_or_null.h"
#include "seda/base/json_whole.h"
#include "tests/support/error_message.h"

namespace seda {
namespace {

using testing::HasSubstr;

TEST(Json, KeepsOrderOfKeys) {
  Json object;
  object["zebra"] = 1;
  object["apple"] = 2;
  EXPECT_EQ(to_json_text(object, -1), R"({"zebra":1,"apple":2})");
}

TEST(Json, NumbersThatAreNotFiniteBecomeNull) {
  const Json list = {std::numeric_limits<double>::quiet_NaN(),
                     std::numeric_limits<double>::infinity()};
  EXPECT_EQ(to_json_text(list, -1), "[null,null]");
}

TEST(Json, WhatIsNotThereIsNull) {
  const Json list = {or_null(std::optional(2.5)), or_null(std::optional<int>())};
  EXPECT_EQ(to_json_text(list, -1), "[2.5,null]");
}

TEST(Json, ANumberThatNoDoubleHoldsIsRefused) {
  try {
    parse_json(R"({"loss": 1e999})", "file.json");
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("file.json"), HasSubstr("1e999")));
  }
}

TEST(Json, AnIntIsAWholeNumberThatFits) {
  for (const char* text : {"0", "-1", "2147483647", "-2147483648"})
    EXPECT_TRUE(is_whole<int>(parse_json(text, "test"))) << text;
  for (const char* text : {"2147483648", "-2147483649", "18446744073709551615", "1e3", "3.5",
                           "true", "null", "\"3\"", "[3]", "{}", "99999999999999999999999"})
    EXPECT_FALSE(is_whole<int>(parse_json(text, "test"))) << text;
}

TEST(Json, WholeNumbersAreKnownByTheirLimits) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  EXPECT_TRUE(is_whole(parse_json("18446744073709551615", "test"), 0, kMost));
  EXPECT_FALSE(is_whole(parse_json("18446744073709551616", "test"), 0, kMost));
  EXPECT_FALSE(is_whole(parse_json("-1", "test"), 0, kMost));
  EXPECT_TRUE(is_whole(parse_json("-1", "test"), -1, 0));
  EXPECT_FALSE(is_whole(parse_json("7", "test"), 8, kMost));
  EXPECT_FALSE(is_whole(parse_json("1e2", "test"), 0, kMost)) << "a double, however whole";
}

TEST(Json, DeepNestingIsRefused) {
  const auto nested = [](size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_NO_THROW(parse_json(nested(64), "file.json"));
  for (const size_t levels : {size_t{65}, size_t{1'000'000}}) {
    EXPECT_THAT(testing_support::error_message([&] { parse_json(nested(levels), "file.json"); }),
                testing::StartsWith("file.json: nested too deeply: expected at most 64 levels"));
  }
}

TEST(Json, BracketsInStringsDoNotNest) {
  const std::string brackets(100, '[');
  for (const std::string& text : {brackets, "\\\"" + brackets, brackets + "\\\\"})
    EXPECT_NO_THROW(parse_json('"' + text + '"', "file.json")) << text;
}

TEST(Json, BrokenUtf8StillGivesJsonThatParses) {
  const std::string broken = "caf\xe9 \xff";
  const std::string text = to_json_text(Json{{"name", broken}}, -1);
  EXPECT_NO_THROW(parse_json(text, "test"));
  EXPECT_THAT(text, HasSubstr("\xef\xbf\xbd"));
}

TEST(Json, ParseErrorNamesPlace) {
  try {
    parse_json("{\n  \"a\": 1,\n  oops\n}", "manifest.json");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("manifest.json:3:"));
  }
}

TEST(Json, AppendedStringsParseBackToThemselves) {
  for (const std::string text :
       {"", "plain", "quote\" back\\slash", "tab\tline\n", "\x01\x1f", "صدا", "emoji 🎤"}) {
    std::string quoted;
    append_json_string(quoted, text);
    EXPECT_EQ(parse_json(quoted, "test").get<std::string>(), text);
  }
}

}  // namespace
}  // namespace seda
