// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/feed/clips.h"
#include "tests/support/error_message.h"
#include "tests/support/fake_backend.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/training_config.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using ::seda::testing_support::FakeBackend;
using ::seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::set;

/// A run on a GPU made of host memory, under budgets.
class IsolatedRun : public testing::Test {
 protected:
  IsolatedRun() {
    for (const char* role : {"data.data_gpu", "data.model_gpu"})
      set(config_, role, std::string("0"));
    set(config_, "data.memory_isolation", true);
    set(config_, "training.checkpoint_dir", runs_.path().string());
  }

  RunSetup set_up_with(int64_t megabytes) {
    set(config_, "data.model_gpu_memory", megabytes);
    set(config_, "data.data_gpu_memory", megabytes);
    return set_up(options(), platform_);
  }
  TrainOptions options() const { return train_options(config_, corpus_.path()); }

  feed::Clips corpus_{20};
  TemporaryFolder runs_;
  config::Config config_ = testing_support::training_config();
  device::Platform platform_{device::make_cpu_backend(), std::make_unique<FakeBackend>()};
};

TEST_F(IsolatedRun, TorchHasWhatTheSlotsOfBothLoadersLeave) {
  const RunSetup both = set_up_with(32);
  const uint64_t all = both.feed.budgets.model_bytes;
  const uint64_t training = all - both.validation_feed.budgets.model_bytes;
  EXPECT_GT(training, 0u);
  EXPECT_LT(both.torch_bytes, all - training) << "validation has slots too";
  EXPECT_LT(both.validation_feed.budgets.data_bytes, both.feed.budgets.data_bytes);
  EXPECT_EQ(engine_options(options(), both).memory_limit_bytes, both.torch_bytes);

  set(config_, "data.validation_share", 0.0);
  EXPECT_EQ(set_up_with(32).torch_bytes, all - training);
}

TEST_F(IsolatedRun, WithoutBudgetsTorchHasNoLimit) {
  set(config_, "data.memory_isolation", false);
  EXPECT_EQ(engine_options(options(), set_up_with(32)).memory_limit_bytes, 0u);
}

TEST_F(IsolatedRun, SlotsThatDoNotFitAreRefusedWithWhatToLower) {
  set(config_, "data.batch_size", int64_t{4000});
  EXPECT_THAT(error_message([&] { set_up_with(1); }),
              AllOf(HasSubstr("memory of"), HasSubstr("lower data.batch_size")));
}

TEST(SetUp, RawFilesOfWhichNoneCanBeUsedAreRefused) {
  const TemporaryFolder place;
  place.write("corpus/metadata.csv", "a|Hello there.\nb|Bye now.\n");
  config::Config config = testing_support::training_config();
  set(config, "training.checkpoint_dir", (place / "run").string());
  set(config, "data.max_fault_share", 1.0);
  TrainOptions options = train_options(config, place / "corpus");
  options.use_cache = false;
  const device::Platform platform;
  EXPECT_THAT(error_message([&] { set_up(options, platform); }),
              HasSubstr("expected clips to feed, found none"));
}

}  // namespace
}  // namespace seda::train
