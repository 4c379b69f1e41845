// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/names.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::speak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::error_message;

const std::vector<std::string> kNames = {"alice", "bob", "7"};

TEST(FindName, TakesNamesAndNumbers) {
  EXPECT_EQ(find_name("speaker", "bob", kNames), 1);
  EXPECT_EQ(find_name("speaker", "0", kNames), 0);
  EXPECT_EQ(find_name("speaker", "7", kNames), 2) << "a name comes before a number";
}

TEST(FindName, NamesTheNearestAndListsThem) {
  EXPECT_THAT(error_message([] { find_name("speaker", "alcie", kNames); }),
              AllOf(HasSubstr("no speaker 'alcie'"), HasSubstr("did you mean 'alice'"),
                    HasSubstr("alice, bob, 7"), HasSubstr("0 to 2")));
  EXPECT_THAT(error_message([] { find_name("language", "3", kNames); }), HasSubstr("language '3'"));
  EXPECT_THAT(error_message([] { find_name("speaker", "-1", kNames); }), HasSubstr("'-1'"));
  EXPECT_THAT(error_message([] { find_name("speaker", "1x", kNames); }), HasSubstr("'1x'"));
}

TEST(FindName, OfOneSaysThatThereIsNoChoice) {
  const auto said = [](const char* kind, std::vector<std::string> names) {
    return error_message([&] { find_name(kind, "bob", names); });
  };
  EXPECT_THAT(said("speaker", {""}),
              HasSubstr("'bob'; it has one speaker without a name; leave --speaker out"));
  EXPECT_THAT(error_message([] { find_name("speaker", "5", std::vector<std::string>{""}); }),
              Not(HasSubstr("did you mean")));
  EXPECT_THAT(said("language", {"en"}), HasSubstr("it has one language, en; leave --language out"));
}

TEST(FindName, ListsTenOfMany) {
  std::vector<std::string> many;
  for (int i = 0; i < 50; ++i)
    many.push_back("p" + std::to_string(200 + i));
  EXPECT_THAT(error_message([&] { find_name("speaker", "nobody", many); }),
              AllOf(HasSubstr("p209"), Not(HasSubstr("p210")), HasSubstr("40 more")));
}

}  // namespace
}  // namespace seda::speak
