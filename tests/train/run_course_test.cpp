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

TEST(RunCourse, EpochsHaveTheirBatchesInUpdates) {
  EXPECT_EQ(updates_of_epochs(10, 200, 1, 0, {}), 2000);
  EXPECT_EQ(updates_of_epochs(10, 200, 1, 1000, {.epoch = 5, .batch = 0}), 2000);
  EXPECT_EQ(updates_of_epochs(3, 7, 2, 0, {}), 10) << "21 batches, two an update";
  EXPECT_EQ(updates_of_epochs(3, 7, 2, 4, {.epoch = 1, .batch = 1}), 10);
}

TEST(RunCourse, EpochsThatAreLeftAreOfTheBatchesThereAreNow) {
  EXPECT_EQ(updates_of_epochs(10, 100, 1, 1000, {.epoch = 5, .batch = 0}), 1500);
  EXPECT_EQ(updates_of_epochs(10, 200, 1, 500, {.epoch = 5, .batch = 0}), 1500);
  EXPECT_EQ(updates_of_epochs(10, 100, 1, 1040, {.epoch = 5, .batch = 40}), 1500);
  EXPECT_EQ(updates_of_epochs(10, 100, 1, 2500, {.epoch = 10, .batch = 0}), 2500)
      << "nothing is left";
  EXPECT_EQ(updates_of_epochs(5, 100, 1, 800, {.epoch = 8, .batch = 0}), 800)
      << "fewer epochs are asked for than were done";
}

TEST(RunCourse, AnEpochIsWholeWithItsLastBatch) {
  EXPECT_EQ(whole_epochs({.epoch = 2, .batch = 6}, 7), 2);
  EXPECT_EQ(whole_epochs({.epoch = 2, .batch = 7}, 7), 3);
  EXPECT_EQ(whole_epochs({.epoch = 3, .batch = 0}, 7), 3);
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
