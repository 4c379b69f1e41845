// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/verdict.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/diagnose/evidence.h"
#include "tests/diagnose/situations.h"

namespace seda::diagnose {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::set_work;
using testing_support::starve;
using testing_support::steady_situation;
using testing_support::step_profile;

TEST(Verdict, PromisesOnlyGainsThatWereMeasured) {
  Situation situation = steady_situation();
  starve(situation);
  set_work(situation, 0.8, 0.2, 2.9);
  situation.machine.process_cores = 1.9;
  const Verdict without = judge(situation);
  EXPECT_THAT(without.remedies, Contains(Field(&Remedy::expected_gain, IsEmpty())));
  situation.more_workers = 6;
  situation.more_workers_rate = 1600;
  const Verdict with = judge(situation);
  EXPECT_THAT(with.remedies, Contains(Remedy{"data.num_workers: 6",
                                             "100 -> 200 % of ceiling (800 -> 1600 clips/s)",
                                             "data.num_workers", "6", Gain{800, 1600}}));
}

TEST(Verdict, NamesTheKeyThatMeasuresBatches) {
  Situation situation = steady_situation();
  situation.step = step_profile();
  situation.step->batch_size = 0;
  situation.step->batch_frames = 1000;
  situation.step->clips = 2.5;
  situation.step->frames = 900;
  situation.step->ceiling_frames = 900;
  situation.step->larger_batch = 2000;
  situation.step->larger_frames = 1800;
  situation.step->larger_batch_s = 0.025;
  const Verdict verdict = judge(situation);
  EXPECT_THAT(verdict.evidence,
              ElementsAre("a step of 1000 frames takes 20 ms, one of 2000 25 ms: 125 against "
                          "200 clips/s"));
  EXPECT_THAT(
      verdict.remedies,
      ElementsAre(Remedy{"data.batch_frames: 2000", "125 -> 200 clips/s of the step (1.6 x)",
                         "data.batch_frames", "2000", Gain{125, 200, kStepUnit}}));
}

TEST(Verdict, TakesTheCeilingFromTheClipsThatWereFed) {
  Situation situation = steady_situation();
  EXPECT_DOUBLE_EQ(ceiling_of(situation), 16 / 0.02);
  situation.loader.clips = 1234;
  EXPECT_DOUBLE_EQ(ceiling_of(situation), 12.34 / 0.02);
  situation.loader = {};
  EXPECT_EQ(ceiling_of(situation), 0);
}

TEST(Verdict, NeverAsksForMoreWorkersThanCores) {
  Situation situation = steady_situation();
  situation.stall = 0.95;
  set_work(situation, 0.8, 0.2, 2.9);
  situation.machine.process_cores = 1.9;
  EXPECT_EQ(judge(situation).remedies.front().change, "data.num_workers: 8");
}

TEST(Verdict, HasTheFieldsThatScriptsRelyOn) {
  Situation situation = steady_situation();
  situation.settings.native = false;
  starve(situation);
  const Json json = to_json(judge(situation));
  EXPECT_EQ(json["cause"], "reference_path");
  EXPECT_THAT(json["evidence"].get<std::string>(), HasSubstr("data.native_loading is false"));
  EXPECT_EQ(json["remedies"][0]["change"], "data.native_loading: true");
  EXPECT_TRUE(json["remedies"][0]["expected_gain"].is_null());
}

TEST(Cause, EachHasItsWord) {
  EXPECT_EQ(to_string(Cause::healthy), "healthy");
  EXPECT_EQ(to_string(Cause::cold_cache), "cold_cache");
  EXPECT_EQ(to_string(Cause::no_gpu), "no_gpu");
  EXPECT_EQ(to_string(Cause::unknown), "unknown");
}

}  // namespace
}  // namespace seda::diagnose
