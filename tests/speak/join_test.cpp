// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/join.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::speak {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;
using testing_support::error_message;

TEST(FadeEnds, RisesAndFallsLinearly) {
  std::vector<float> sound(8, 1);
  fade_ends(sound, 2);
  EXPECT_THAT(sound, ElementsAre(0, 0.5F, 1, 1, 1, 1, 0.5F, 0));
}

TEST(FadeEnds, OfAShortSoundMeetInItsMiddle) {
  std::vector<float> sound(4, 1);
  fade_ends(sound, 100);
  EXPECT_THAT(sound, ElementsAre(0, 0.5F, 0.5F, 0));
  std::vector<float> one(1, 1);
  fade_ends(one, 100);
  EXPECT_THAT(one, ElementsAre(1));
  fade_ends({}, 100);
}

TEST(GuardPeak, BringsDownWhatIsTooLoudAlone) {
  std::vector<float> loud = {0.5F, -2, 1};
  EXPECT_FLOAT_EQ(guard_peak(loud), 0.5F);
  EXPECT_THAT(loud, ElementsAre(0.25F, -1, 0.5F));
  std::vector<float> fine = {0.5F, -1};
  EXPECT_EQ(guard_peak(fine), 1);
  EXPECT_THAT(fine, ElementsAre(0.5F, -1));
}

TEST(Joiner, PutsPausesBetweenSentencesAlone) {
  Joiner joiner({.pause_s = 0.5, .fade_s = 0.1}, 10);
  const std::vector<float> sentence(6, 0.5F);
  EXPECT_THAT(joiner.add(sentence), ElementsAre(0, 0.5F, 0.5F, 0.5F, 0.5F, 0));
  EXPECT_THAT(joiner.add(sentence), ElementsAre(0, 0, 0, 0, 0, 0, 0.5F, 0.5F, 0.5F, 0.5F, 0));
}

TEST(Joiner, NeverClips) {
  Joiner joiner({.pause_s = 0, .fade_s = 0}, 100);
  const auto out = joiner.add(std::vector<float>{3, -3, 1.5F});
  EXPECT_THAT(out, ElementsAre(FloatEq(1), FloatEq(-1), FloatEq(0.5F)));
}

TEST(Joiner, RefusesSoundThatIsNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Joiner joiner({}, 100);
    EXPECT_THAT(error_message([&] { joiner.add(std::vector<float>{0, bad, 0}); }),
                HasSubstr("not finite"));
  }
}

}  // namespace
}  // namespace seda::speak
