// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/start_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/diagnose/sections.h"

namespace seda::diagnose {
namespace {

StartUp opened_again(uint64_t made_again, double seconds, size_t clips = 100) {
  StartUp start;
  start.cache_state = "loaded";
  start.state_again = made_again > 0 ? "built" : "loaded";
  start.open_again_s = seconds;
  start.reasons_again = {{"audio changed", made_again}};
  start.made_again = made_again;
  start.clips = clips;
  return start;
}

TEST(StartUp, IsRebuiltWhereManyClipsAreMadeAgainOrSomeSlowly) {
  EXPECT_FALSE(opened_again(0, 9).is_rebuilt());
  EXPECT_FALSE(opened_again(4, 9).is_rebuilt()) << "under a twentieth";
  EXPECT_FALSE(opened_again(5, 0.04).is_rebuilt());
  EXPECT_TRUE(opened_again(5, 0.05).is_rebuilt());
  EXPECT_FALSE(opened_again(24, 0.01).is_rebuilt());
  EXPECT_TRUE(opened_again(25, 0.01).is_rebuilt());
  EXPECT_FALSE(opened_again(7, 0.01, 7).is_rebuilt()) << "a few clips";
  EXPECT_TRUE(opened_again(8, 0.01, 8).is_rebuilt());
  EXPECT_FALSE(opened_again(0, 9, 0).is_rebuilt());
}

TEST(StartUp, AFewClipsMadeAgainDoNotSpoilTheSection) {
  const Section grown = start_section(opened_again(1, 0.02));
  EXPECT_EQ(grown.status, "good");
  EXPECT_EQ(grown.evidence["built_again_because"], "audio changed: 1");
  EXPECT_EQ(start_section(opened_again(50, 0.02)).status, "poor");
}

TEST(StartUp, ReasonsAreToldWithTheirClips) {
  EXPECT_EQ(words_of({{"audio changed", 3}, {"no cache", 1}}), "audio changed: 3, no cache: 1");
  EXPECT_EQ(words_of({}), "no reason given");
}

}  // namespace
}  // namespace seda::diagnose
