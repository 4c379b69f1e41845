// SPDX-License-Identifier: Apache-2.0
#include "seda/train/flop_meter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/model/model_cost.h"
#include "seda/train/run_log.h"

namespace seda::train {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<feed::Bucket> kBuckets = {{.tokens = 40, .frames = 200, .batch_size = 8},
                                            {.tokens = 90, .frames = 600, .batch_size = 4}};

TEST(FlopMeter, DividesWhatStepsNeedByTheirTimeAndThePeak) {
  const model::ModelOptions model = model::model_size("tiny");
  const double first = model::step_flops(model, {8, 40, 200});
  const double second = model::step_flops(model, {4, 90, 600});
  FigureCounter steps;
  steps.add({.seconds = 0.01, .bucket = 0}, 0, {});
  steps.add({.seconds = 0.03, .bucket = 0}, 0, {});
  steps.add({.seconds = 0.02, .bucket = 1}, 0, {});
  const FlopMeter meter(model, kBuckets, 1e12);
  EXPECT_NEAR(meter.per_step(steps).value(), (2 * first + second) / 3, 1e-6 * first);
  EXPECT_NEAR(meter.share(steps).value(), (2 * first + second) / 0.06 / 1e12, 1e-12);
  EXPECT_EQ(meter.figures(steps).flop_share, meter.share(steps));
}

TEST(FlopMeter, KnowsNothingWithoutAPeakOrSteps) {
  FigureCounter steps;
  EXPECT_FALSE(FlopMeter(model::model_size("tiny"), kBuckets, 1e12).share(steps));
  EXPECT_FALSE(FlopMeter(model::model_size("tiny"), kBuckets, 1e12).per_step(steps));
  steps.add({.seconds = 0.01, .bucket = 0}, 0, {});
  EXPECT_FALSE(FlopMeter(model::model_size("tiny"), kBuckets, std::nullopt).share(steps));
}

TEST(FlopMeter, KnowsNothingOfBatchesThatHaveTheirOwnShapes) {
  FigureCounter steps;
  steps.add({.seconds = 0.01, .bucket = 0}, 0, {});
  EXPECT_FALSE(FlopMeter(model::model_size("tiny"), {}, 1e12).per_step(steps));
}

TEST(FlopMeter, HasNoPeakOfACpu) {
  EXPECT_FALSE(peak_flops(device::Platform(), device::kCpu, true));
}

TEST(ProgressLine, HasTheUtilisationWhereItIsKnown) {
  LogPoint point;
  point.figures.batches = 1;
  EXPECT_THAT(progress_line(point), Not(HasSubstr("MFU")));
  point.figures.flop_share = 0.2346;
  EXPECT_THAT(progress_line(point), HasSubstr(", MFU 23.5 %"));
}

}  // namespace
}  // namespace seda::train
