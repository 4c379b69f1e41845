// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/work_board.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/batch_layout.h"
#include "seda/feed/device_feeder.h"
#include "tests/feed/memory_source.h"
#include "tests/support/manual_clock.h"

namespace seda::feed {
namespace {

using testing_support::ManualClock;

/// A board over clips of which every fourth is long, worked by hand.
class WorkBoardTest : public testing::Test {
 protected:
  static constexpr int kBatch = 4;
  static constexpr int kSlots = 3;

  WorkBoardTest() {
    options_.batch_size = kBatch;
    options_.num_buckets = 1;
    options_.order.shuffle = false;
    for (uint32_t i = 0; i < 24; ++i) {
      ClipRow row;
      row.samples = i % 8 == 7 ? 200000 : 5000;
      row.tokens = row.symbols = 10;
      rows_.push_back(row);
    }
    plan_ = plan_feed(rows_, mel_, options_);
    const size_t bytes = largest_batch_bytes(plan_.buckets, mel_.n_mels);
    ring_ = std::make_unique<BatchRing>(make_batches(kSlots, bytes, kBatch, memory_, stream_),
                                        stream_, stream_, clock_);
  }

  WorkBoard board(bool whole_batches = false) {
    return {*ring_, stream_, Sampler(plan_.lengths.clips, plan_.buckets, options_.order),
            plan_,  rows_,   {.whole_batches = whole_batches, .workers = 2, .n_mels = mel_.n_mels}};
  }
  std::optional<WorkUnit> take(WorkBoard& board) {
    pipeline::Worker worker{0, stop_.get_token(), stop_.get_token(), recorder_};
    return board.take(worker, recorder_);
  }

  FeedOptions options_;
  audio::MelOptions mel_;
  std::vector<ClipRow> rows_;
  FeedPlan plan_;
  device::Platform platform_;
  device::StreamView stream_ = platform_.default_stream(device::kCpu);
  device::PlainResource memory_{platform_, device::kCpu};
  ManualClock clock_;
  pipeline::StageRecorder recorder_{clock_};
  std::stop_source stop_;
  std::unique_ptr<BatchRing> ring_;
};

TEST_F(WorkBoardTest, ALongClipOfALaterBatchIsBegunBeforeShortOnesThatAreDueSooner) {
  WorkBoard work = board();
  std::vector<uint64_t> batches;
  std::vector<uint64_t> samples;
  for (int i = 0; i < kSlots * kBatch; ++i) {
    const auto unit = take(work);
    ASSERT_TRUE(unit);
    const OpenBatch& open = work.batch(*unit);
    batches.push_back(open.plan.batch);
    samples.push_back(rows_[open.batch->info.clips[static_cast<size_t>(unit->first)]].samples);
  }
  const auto long_at = std::ranges::find(samples, 200000U) - samples.begin();
  EXPECT_EQ(batches[static_cast<size_t>(long_at)], 1U);
  const auto last_of_first = batches.rend() - std::find(batches.rbegin(), batches.rend(), 0U) - 1;
  EXPECT_LT(long_at, last_of_first);
}

TEST_F(WorkBoardTest, BatchesComeOutInOrderHoweverTheyEnd) {
  WorkBoard work = board(true);
  std::vector<WorkUnit> units;
  for (int i = 0; i < kSlots; ++i) {
    const auto unit = take(work);
    ASSERT_TRUE(unit);
    EXPECT_EQ(unit->count, kBatch);
    units.push_back(*unit);
  }
  std::ranges::reverse(units);
  for (const WorkUnit& unit : units) {
    EXPECT_TRUE(work.is_last(unit));
    work.publish(unit);
  }
  for (uint64_t batch = 0; batch < kSlots; ++batch) {
    const auto lease = ring_->next(stream_);
    ASSERT_TRUE(lease);
    EXPECT_EQ((*lease)->info.batch, batch);
  }
}

TEST_F(WorkBoardTest, OnlyTheLastRowEndsABatch) {
  WorkBoard work = board();
  std::map<uint64_t, int> ended;
  for (int i = 0; i < kSlots * kBatch; ++i) {
    const auto unit = take(work);
    ASSERT_TRUE(unit);
    ended[work.batch(*unit).plan.batch] += work.is_last(*unit) ? 1 : 0;
  }
  EXPECT_EQ(ended, (std::map<uint64_t, int>{{0, 1}, {1, 1}, {2, 1}}));
}

TEST_F(WorkBoardTest, EndsWithItsRing) {
  WorkBoard work = board();
  ring_->close();
  EXPECT_FALSE(take(work));
}

TEST_F(WorkBoardTest, AWorkerThatIsToLeaveGetsNothing) {
  WorkBoard work = board();
  stop_.request_stop();
  EXPECT_FALSE(take(work));
}

TEST_F(WorkBoardTest, GoesThroughEpochsWithoutAPause) {
  WorkBoard work = board(true);
  for (uint64_t step = 0; step < 20; ++step) {
    const auto unit = take(work);
    ASSERT_TRUE(unit);
    EXPECT_EQ(work.batch(*unit).plan.step, step);
    EXPECT_EQ(work.batch(*unit).batch->info.last_of_epoch, step % 6 == 5);
    ASSERT_TRUE(work.is_last(*unit));
    work.publish(*unit);
    ring_->next(stream_)->release();
  }
}

}  // namespace
}  // namespace seda::feed
