// SPDX-License-Identifier: Apache-2.0
#include "seda/train/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/feed/clips.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/fake_engine.h"
#include "tests/train/training_config.h"

namespace seda::train {
namespace {

using testing_support::set;

/// Five clips in batches of four: the second has one of its own and three of the first again.
class ValidationTest : public testing::Test {
 protected:
  ValidationTest() {
    for (int i = 0; i < 5; ++i)
      held_out_.sing(i, 2560);  // ten frames each
    set(config_, "data.validation_path", held_out_.path().string());
    set(config_, "data.num_buckets", int64_t{1});
    set(config_, "training.checkpoint_dir", runs_.path().string());
  }

  feed::Clips corpus_{8};
  feed::Clips held_out_{5};
  ::seda::testing_support::TemporaryFolder runs_;
  config::Config config_ = testing_support::training_config();
  device::Platform platform_;
};

TEST_F(ValidationTest, ClipsThatFillTheLastBatchCountOnce) {
  const TrainOptions options = train_options(config_, corpus_.path());
  const RunSetup setup = set_up(options, platform_);
  testing_support::FakeBehaviour behaviour;
  behaviour.evaluated = [](const feed::Batch& batch) {
    return batch.info.batch == 0 ? 1.0F : 2.0F;
  };
  testing_support::FakeEngine engine({}, behaviour);
  size_t batches = 0;
  const StepLosses losses =
      validate(engine, setup, platform_, platform_.default_stream(device::kCpu),
               [&](const feed::Batch& batch, size_t) {
                 ++batches;
                 EXPECT_EQ(batch.info.clips.size(), 4u);
                 EXPECT_EQ(batch.info.real_frames, 40);
               });
  EXPECT_EQ(batches, 2u);
  EXPECT_NEAR(losses.total, (4 * 1.0 + 1 * 2.0) / 5, 1e-6);
}

}  // namespace
}  // namespace seda::train
