// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json_object.h"

#include <array>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"

namespace seda {
namespace {

using testing::ElementsAre;
using testing_support::error_message;

/// What reading `text` as a `T` is answered, where it is refused.
template <typename T>
std::string refusal(const char* text) {
  return error_message([&] { json_value<T>(parse_json(text, "test"), "here"); });
}

TEST(JsonObject, GivesItsValues) {
  const Json json = parse_json(
      R"({"whole": -3, "count": 18446744073709551615, "share": 0.5, "round": 2, "on": true,
          "name": "kal", "sizes": [1, 2], "names": [], "inner": {"depth": 1}})",
      "test");
  const JsonObject object(json, "here");
  EXPECT_EQ(object.get<int>("whole"), -3);
  EXPECT_EQ(object.get<uint64_t>("count"), UINT64_MAX);
  EXPECT_EQ(object.get<float>("share"), 0.5F);
  EXPECT_EQ(object.get<double>("round"), 2);
  EXPECT_TRUE(object.get<bool>("on"));
  EXPECT_EQ(object.get<std::string>("name"), "kal");
  EXPECT_THAT(object.get<std::vector<int>>("sizes"), ElementsAre(1, 2));
  EXPECT_THAT(object.get<std::vector<std::string>>("names"), ElementsAre());
  EXPECT_EQ(object.object("inner").get<int>("depth"), 1);
  int into = 0;
  object.read("whole", into);
  EXPECT_EQ(into, -3);
}

TEST(JsonObject, WhatIsOfAnotherTypeIsRefusedInWords) {
  EXPECT_EQ(refusal<int>("1.5"), "here: expected a whole number, found 1.5");
  EXPECT_EQ(refusal<int>("true"), "here: expected a whole number, found true");
  EXPECT_EQ(refusal<int>("2147483648"),
            "here: expected -2147483648 to 2147483647, found 2147483648");
  EXPECT_EQ(refusal<uint64_t>("-1"), "here: expected 0 to 18446744073709551615, found -1");
  EXPECT_EQ(refusal<double>("\"1\""), "here: expected a number, found \"1\"");
  EXPECT_EQ(refusal<bool>("1"), "here: expected true or false, found 1");
  EXPECT_EQ(refusal<std::string>("null"), "here: expected a string, found null");
  EXPECT_EQ(refusal<std::vector<int>>("[1, 2.5]"),
            "here: expected a list of whole numbers, found [1,2.5]");
  EXPECT_EQ(refusal<std::vector<int>>("7"), "here: expected a list of whole numbers, found 7");
  EXPECT_EQ(refusal<std::vector<std::string>>("[1]"),
            "here: expected a list of strings, found [1]");
  EXPECT_EQ(refusal<std::string>("{}"), "here: expected a string, found an object");
  EXPECT_EQ(refusal<std::string>("[]"), "here: expected a string, found []");
}

TEST(JsonObject, ALongListIsToldByItsLength) {
  EXPECT_EQ(error_message([] { json_value<int>(Json::array({"a", "b"}), "here"); }),
            R"(here: expected a whole number, found ["a","b"])");
  EXPECT_EQ(error_message([] { json_value<int>(Json(std::vector<int>(1000, 7)), "here"); }),
            "here: expected a whole number, found a list of 1000");
}

TEST(JsonObject, ALongStringIsToldByItsStart) {
  const Json json = {{"word", std::string(1'000'000, 'x')}};
  const JsonObject object(json, "here");
  const std::string_view words[] = {"one"};
  EXPECT_EQ(error_message([&] { object.get<int>("word"); }),
            "here: word: expected a whole number, found \"" + std::string(59, 'x') + "…");
  EXPECT_EQ(error_message([&] { object.choice("word", words); }),
            "here: word: expected one of one, found '" + std::string(60, 'x') + "…'");
}

TEST(JsonObject, AListMustBeOne) {
  const Json json = parse_json(R"({"parts": [1, 2], "name": {}})", "test");
  const JsonObject object(json, "here");
  EXPECT_EQ(object.list("parts").size(), 2u);
  EXPECT_EQ(error_message([&] { object.list("name"); }),
            "here: name: expected a list, found an object");
}

TEST(JsonObject, ErrorsNameThePlace) {
  const Json json = parse_json(R"({"inner": {"depth": "low"}})", "test");
  const JsonObject object(json, "file.json");
  EXPECT_EQ(error_message([&] { object.at("other"); }),
            "file.json: expected a value 'other', found none");
  EXPECT_EQ(error_message([&] { object.object("inner").get<int>("depth"); }),
            "file.json: inner: depth: expected a whole number, found \"low\"");
  EXPECT_EQ(error_message([&] { object.object("inner").object("depth"); }),
            "file.json: inner: depth: expected an object, found \"low\"");
  EXPECT_EQ(error_message([] { JsonObject(Json::array({1}), "file.json"); }),
            "file.json: expected an object, found [1]");
}

TEST(JsonObject, AChoiceIsTheIndexOfItsWord) {
  constexpr std::array<std::string_view, 2> kWords = {"htk", "slaney"};
  const Json json = parse_json(R"({"bank": "slaney", "other": "mel"})", "test");
  const JsonObject object(json, "here");
  EXPECT_EQ(object.choice("bank", kWords), 1u);
  EXPECT_EQ(error_message([&] { object.choice("other", kWords); }),
            "here: other: expected one of htk, slaney, found 'mel'");
}

}  // namespace
}  // namespace seda
