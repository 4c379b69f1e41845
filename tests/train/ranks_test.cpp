// SPDX-License-Identifier: Apache-2.0
#include "seda/train/ranks.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using testing::HasSubstr;
using Variables = std::map<std::string, std::string>;

Ranks read(const Variables& variables) {
  return read_ranks([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

const Variables kSecondOfTwo = {{"RANK", "1"},        {"WORLD_SIZE", "2"},
                                {"LOCAL_RANK", "0"},  {"LOCAL_WORLD_SIZE", "1"},
                                {"MASTER_ADDR", "h"}, {"MASTER_PORT", "29500"}};

TEST(Ranks, WithoutALauncherThereIsOne) {
  EXPECT_TRUE(read({}).alone());
  EXPECT_TRUE(read({}).leads());
}

TEST(Ranks, AreReadFromALauncher) {
  const Ranks found = read(kSecondOfTwo);
  EXPECT_EQ(found, (Ranks{1, 2, 0, 1, "h", 29500}));
  EXPECT_FALSE(found.leads());
}

TEST(Ranks, WhatIsMissingIsNamed) {
  Variables variables = kSecondOfTwo;
  variables.erase("MASTER_ADDR");
  EXPECT_THAT(error_message([&] { read(variables); }), HasSubstr("MASTER_ADDR: expected"));
}

TEST(Ranks, WhatCannotBeIsNamed) {
  for (const auto& [name, value] : Variables{
           {"RANK", "2"}, {"WORLD_SIZE", "x"}, {"LOCAL_RANK", "-1"}, {"MASTER_PORT", "99999"}}) {
    Variables variables = kSecondOfTwo;
    variables[name] = value;
    EXPECT_THAT(error_message([&] { read(variables); }),
                HasSubstr(name + ": expected a number from"));
  }
}

TEST(Ranks, StartedAgainAreKnownByTheirLauncher) {
  const auto restarted = [](Variables variables) {
    return is_restart([&](const char* name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    });
  };
  EXPECT_FALSE(restarted({}));
  EXPECT_FALSE(restarted({{"TORCHELASTIC_RESTART_COUNT", "0"}}));
  EXPECT_TRUE(restarted({{"TORCHELASTIC_RESTART_COUNT", "2"}}));
}

}  // namespace
}  // namespace seda::train
