// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_course.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda::train {
namespace {

using ::testing::ElementsAre;

/// The updates of a whole run after which `is_point` holds.
std::vector<uint64_t> points(RunCourse course, bool (RunCourse::*is_point)() const) {
  std::vector<uint64_t> out;
  while (!course.ended()) {
    ++course.updates;
    if ((course.*is_point)()) out.push_back(course.updates);
  }
  return out;
}

RunCourse of_ten() {
  return {.total = 10, .log_every = 4, .eval_every = 5, .checkpoint_every = 3};
}

TEST(RunCourse, LogsEverySoManyUpdates) {
  EXPECT_THAT(points(of_ten(), &RunCourse::is_log_point), ElementsAre(4, 8));
}

TEST(RunCourse, LogsLaterWhereTheDeviceIsBehind) {
  RunCourse course = of_ten();
  course.late = 2;
  EXPECT_THAT(points(course, &RunCourse::is_log_point), ElementsAre(6, 10));
}

TEST(RunCourse, ValidatesAndSavesAtTheEndWhateverTheInterval) {
  EXPECT_THAT(points(of_ten(), &RunCourse::is_validation_point), ElementsAre(5, 10));
  EXPECT_THAT(points(of_ten(), &RunCourse::is_checkpoint_point), ElementsAre(3, 6, 9, 10));
}

TEST(RunCourse, GoesOnWhereItWas) {
  RunCourse course = of_ten();
  course.updates = 6;
  EXPECT_THAT(points(course, &RunCourse::is_checkpoint_point), ElementsAre(9, 10));
}

TEST(RunCourse, EndsWithItsEpochsOrAtTheMostUpdates) {
  TrainOptions options;
  EXPECT_EQ(run_course(options, 0, 40, 0).total, 40);
  options.max_updates = 30;
  EXPECT_EQ(run_course(options, 0, 40, 0).total, 30);
  options.max_updates = 50;
  EXPECT_EQ(run_course(options, 0, 40, 0).total, 40) << "epochs end it first";
}

TEST(RunCourse, HasOneUpdateWhereAnEpochIsShorter) {
  EXPECT_EQ(run_course(TrainOptions{}, 0, 0, 0).total, 1);
}

TEST(RunCourse, IsEndedWhereAllWasDoneBefore) {
  EXPECT_TRUE(run_course(TrainOptions{}, 40, 40, 0).ended());
  EXPECT_TRUE(run_course(TrainOptions{}, 41, 40, 0).ended());
  EXPECT_FALSE(run_course(TrainOptions{}, 39, 40, 0).ended());
}

TEST(RunCourse, OnlyADeviceIsBehind) {
  EXPECT_EQ(steps_behind(device::kCpu), 0);
  EXPECT_GT(steps_behind(device::cuda(0)), 0);
}

}  // namespace
}  // namespace seda::train
