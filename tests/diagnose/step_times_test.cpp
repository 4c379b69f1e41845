// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/step_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/device/platform.h"

namespace seda::diagnose {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

class StepTimesTest : public testing::Test {
 protected:
  void step(uint32_t bucket) {
    times_.ask();
    times_.begin(bucket, 4);
  }

  device::Platform platform_;
  StepTimes times_{platform_.default_stream(device::kCpu), nullptr, "step"};
};

TEST_F(StepTimesTest, GivesAWaitForEachAndATimeFromEachToTheNext) {
  for (const uint32_t bucket : {1, 2, 3})
    step(bucket);
  times_.read(0);
  EXPECT_THAT(times_.waits_s(), SizeIs(3));
  EXPECT_THAT(times_.batches(),
              ElementsAre(Field(&BatchTime::bucket, 2u), Field(&BatchTime::bucket, 3u)));
}

TEST_F(StepTimesTest, ABatchThatDidNotComeIsNoStep) {
  step(1);
  times_.ask();
  times_.read(0);
  EXPECT_THAT(times_.waits_s(), SizeIs(1));
  step(2);
  times_.read(0);
  EXPECT_THAT(times_.waits_s(), SizeIs(2));
  EXPECT_THAT(times_.batches(), ElementsAre(Field(&BatchTime::bucket, 2u)));
}

TEST_F(StepTimesTest, AfterAPauseTheNextStepBeginsAnew) {
  step(1);
  times_.pause();
  times_.forget();
  step(2);
  times_.read(0);
  EXPECT_THAT(times_.waits_s(), SizeIs(1));
  EXPECT_THAT(times_.batches(), IsEmpty());
}

}  // namespace
}  // namespace seda::diagnose
