// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/consumer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/diagnose/scripted_loader.h"

namespace seda::diagnose {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::SizeIs;
using testing_support::ScriptedLoader;

class ConsumerTest : public testing::Test {
 protected:
  Consumption take(const ConsumerOptions& options) {
    return consume(loader_, platform_, device::kCpu, options);
  }

  device::Platform platform_{device::make_cpu_backend(), device::make_cpu_backend()};
  ScriptedLoader loader_{platform_, 7};
};

TEST_F(ConsumerTest, TimesEveryBatchAfterTheWarmUp) {
  const Consumption run = take({.warm_up = 5, .batches = 20});
  EXPECT_EQ(run.loader.batches, 20u);
  EXPECT_EQ(run.loader.clips, 320u);
  EXPECT_THAT(run.waits_s, AllOf(SizeIs(20), Each(Ge(0.0))));
  EXPECT_THAT(run.batches, AllOf(SizeIs(20), Each(Field(&BatchTime::seconds, Ge(0.0))),
                                 Each(Field(&BatchTime::clips, 16u))));
  EXPECT_EQ(loader_.ends, 3);
}

TEST_F(ConsumerTest, WithoutAWarmUpHasNoTimeOfTheFirstBatch) {
  const Consumption run = take({.batches = 3});
  EXPECT_THAT(run.waits_s, SizeIs(3));
  EXPECT_THAT(run.batches, SizeIs(2));
}

TEST_F(ConsumerTest, KnowsTheBucketOfEachBatch) {
  const Consumption run = take({.warm_up = 3, .batches = 4});
  std::vector<uint32_t> buckets;
  for (const BatchTime& batch : run.batches)
    buckets.push_back(batch.bucket);
  EXPECT_THAT(buckets, testing::ElementsAre(0, 1, 2, 0));
}

TEST_F(ConsumerTest, EndsWhenItsTimeIsUpAfterAtLeastOneBatch) {
  EXPECT_EQ(take({.batches = 1000, .most_s = 0}).loader.batches, 1u);
}

TEST_F(ConsumerTest, WorksOnEachBatch) {
  const Consumption run = take({.batches = 5, .step_s = 1e-3});
  EXPECT_GE(run.seconds, 5e-3);
  EXPECT_THAT(run.batches, Each(Field(&BatchTime::seconds, Ge(1e-3))));
}

TEST_F(ConsumerTest, FiguresAreOfItsTime) {
  Consumption run;
  run.seconds = 2;
  run.waits_s = {0.1, 0.3};
  EXPECT_DOUBLE_EQ(run.stall(), 0.2);
  run.loader.clips = 100;
  EXPECT_DOUBLE_EQ(run.clips_per_second(), 50);
  EXPECT_EQ(run.mean_batch_s(), 0);
  run.loader.batches = 10;
  EXPECT_DOUBLE_EQ(run.mean_batch_s(), 0.2);
}

TEST_F(ConsumerTest, CallsAfterEachMeasuredBatch) {
  int calls = 0;
  take({.warm_up = 2, .batches = 5, .after_batch = [&] { ++calls; }});
  EXPECT_EQ(calls, 5);
}

TEST_F(ConsumerTest, PassesOnWhatTheLoaderThrows) {
  loader_.before_batch = [](uint64_t batch) {
    if (batch == 4) throw_error(ErrorKind::check_failed, "read: too many bad clips");
  };
  EXPECT_THROW(take({.batches = 10}), Error);
}

TEST_F(ConsumerTest, DrawsItsStepsOnATrack) {
  TraceRecorder trace;
  take({.batches = 3, .trace = &trace});
  EXPECT_THAT(trace.to_json(),
              AllOf(HasSubstr("consumer"), HasSubstr("\"step\""), HasSubstr("\"wait\"")));
}

}  // namespace
}  // namespace seda::diagnose
