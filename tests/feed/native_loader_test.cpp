// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/native_loader.h"

#include <latch>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/feed/loader_world.h"
#include "tests/pipeline/eventually.h"
#include "tests/support/allocations.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;

constexpr double kMelTolerance = 1e-3;  // between devices

FeedOptions options_for(const Roles& roles) {
  FeedOptions options;
  options.roles = roles;
  options.workers = 2;
  options.batch_size = 4;
  options.num_buckets = 3;
  options.order.seed = 7;
  return options;
}

class NativeLoaderTest : public testing::TestWithParam<RolesCase> {
 protected:
  NativeLoaderTest() : world_(GetParam()) {}
  void SetUp() override {
    if (const std::string why = world_.absence(); !why.empty()) GTEST_SKIP() << why;
    consumer_.emplace(world_.platform(), GetParam().roles.model);
  }

  FeedOptions options() const { return options_for(GetParam().roles); }
  std::unique_ptr<NativeLoader> load(const FeedOptions& options) {
    return std::make_unique<NativeLoader>(source_, options, world_.platform());
  }

  /// So many batches, ends of epochs not counted.
  std::vector<HostBatch> take(Loader& loader, size_t count) {
    std::vector<HostBatch> out;
    while (out.size() < count) {
      if (auto lease = loader.next(consumer_->view())) out.push_back(to_host(*lease));
    }
    return out;
  }

  std::shared_ptr<MemorySource> source_ = std::make_shared<MemorySource>(30);
  RolesWorld world_;
  std::optional<device::Stream> consumer_;
};

TEST_P(NativeLoaderTest, BatchesHoldTheClipsTheyName) {
  const auto loader = load(options());
  for (const HostBatch& batch : take(*loader, 2 * loader->batches_per_epoch()))
    ASSERT_LE(difference(batch, expected(batch, *source_)), kMelTolerance);
}

TEST_P(NativeLoaderTest, FeedsEveryClipInAnEpochAndSaysWhenItEnds) {
  const auto loader = load(options());
  for (uint64_t epoch = 0; epoch < 2; ++epoch) {
    std::set<uint32_t> seen;
    while (auto lease = loader->next(consumer_->view())) {
      seen.insert((*lease)->info.clips.begin(), (*lease)->info.clips.end());
      EXPECT_EQ((*lease)->info.epoch, epoch);
    }
    EXPECT_EQ(seen.size(), 30U);
    EXPECT_EQ(loader->state(), (SamplerState{epoch + 1, 0}));
  }
}

TEST_P(NativeLoaderTest, BatchesAreTheSameForAnyNumberOfWorkers) {
  for (const int batch_frames : {0, 400}) {
    FeedOptions one = options();
    one.batch_frames = batch_frames;
    one.workers = 1;
    const auto reference = load(one);
    const auto wanted = take(*reference, 20);
    for (const int workers : {2, 7}) {
      FeedOptions many = one;
      many.workers = workers;
      const auto loader = load(many);
      const auto found = take(*loader, 20);
      for (size_t i = 0; i < wanted.size(); ++i)
        ASSERT_EQ(difference(found[i], wanted[i]), 0) << "batch " << i << ", workers " << workers;
    }
  }
}

/// Workers that are leaving keep their places, so that there may be more than were ever asked for.
TEST_P(NativeLoaderTest, BatchesAreTheSameWhileManyWorkersComeAndGo) {
  const auto wanted = take(*load(options()), 20);
  const auto loader = load(options());
  for (size_t i = 0; i < wanted.size(); ++i) {
    loader->set_workers(i % 2 == 0 ? 300 : 1);
    ASSERT_EQ(difference(take(*loader, 1).front(), wanted[i]), 0) << "batch " << i;
  }
}

TEST_P(NativeLoaderTest, FillsEachShapeUpToTheFrameBudget) {
  FeedOptions by_frames = options();
  by_frames.batch_frames = 400;
  const auto loader = load(by_frames);
  std::set<size_t> sizes;
  while (auto lease = loader->next(consumer_->view())) {
    const Batch& batch = **lease;
    EXPECT_EQ(batch.shape.batch, 400 / batch.shape.frames);
    EXPECT_EQ(batch.info.clips.size(), static_cast<size_t>(batch.shape.batch));
    sizes.insert(batch.info.clips.size());
  }
  EXPECT_GT(sizes.size(), 1U);
}

TEST_P(NativeLoaderTest, GoesOnFromAnyPosition) {
  for (const int batch_frames : {0, 400}) {
    FeedOptions from_the_start = options();
    from_the_start.batch_frames = batch_frames;
    const auto whole = load(from_the_start);
    const auto all = take(*whole, 3 * whole->batches_per_epoch());
    for (const size_t done : {size_t{1}, size_t{5}, whole->batches_per_epoch() + 2}) {
      FeedOptions rest = from_the_start;
      rest.start = {done / whole->batches_per_epoch(), done % whole->batches_per_epoch()};
      const auto loader = load(rest);
      EXPECT_EQ(loader->state(), rest.start);
      const auto found = take(*loader, all.size() - done);
      for (size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(difference(found[i], all[done + i]), 0) << i;
    }
  }
}

TEST_P(NativeLoaderTest, GoesOnFromTheEndOfAnEpoch) {
  FeedOptions rest = options();
  rest.start = {1, load(options())->batches_per_epoch()};
  const auto loader = load(rest);
  EXPECT_FALSE(loader->next(consumer_->view()));
  const auto lease = loader->next(consumer_->view());
  ASSERT_TRUE(lease);
  EXPECT_EQ((*lease)->info.epoch, 2U);
}

TEST_P(NativeLoaderTest, EveryPathGivesTheSameBatches) {
  const auto plain = load(options());
  const auto wanted = take(*plain, 12);
  const std::map<std::string, void (*)(FeedOptions&)> paths = {
      {"slots stay on the host", [](FeedOptions& o) { o.prefetch_to_gpu = false; }},
      {"pageable memory", [](FeedOptions& o) { o.pinned = false; }},
      {"one stream", [](FeedOptions& o) { o.own_copy_stream = false; }},
      {"fewest slots",
       [](FeedOptions& o) {
         o.slots = 2;
         o.one_deeper = false;
         o.prefetch = 2;
       }},
      {"one batch ahead", [](FeedOptions& o) { o.prefetch = 1; }},
      {"resident", [](FeedOptions& o) { o.resident = true; }},
      {"copies between roles", [](FeedOptions& o) { o.transfer_always = true; }},
      {"resident, with copies",
       [](FeedOptions& o) {
         o.resident = true;
         o.transfer_always = true;
       }},
      {"automatic workers", [](FeedOptions& o) { o.workers = 0; }},
  };
  for (const auto& [name, change] : paths) {
    FeedOptions changed = options();
    change(changed);
    const auto loader = load(changed);
    const auto found = take(*loader, wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      ASSERT_EQ(difference(found[i], wanted[i]), 0) << name << ", batch " << i;
  }
}

TEST_P(NativeLoaderTest, ShapesFollowTheBatchWithoutFixedShapes) {
  FeedOptions changed = options();
  changed.fixed_shapes = false;
  const auto loader = load(changed);
  std::set<int> frames;
  for (const HostBatch& batch : take(*loader, loader->batches_per_epoch())) {
    ASSERT_LE(difference(batch, expected(batch, *source_)), kMelTolerance);
    EXPECT_EQ(batch.shape.frames, *std::ranges::max_element(batch.mel_lengths));
    EXPECT_EQ(batch.shape.tokens, *std::ranges::max_element(batch.token_lengths));
    frames.insert(batch.shape.frames);
  }
  EXPECT_GT(frames.size(), 2U);
}

TEST_P(NativeLoaderTest, CutsOverlongClips) {
  FeedOptions changed = options();
  changed.limits = {.max_symbols = 20, .max_frames = 64, .overlong = Overlong::truncate};
  const auto loader = load(changed);
  int64_t cut = 0;
  for (const HostBatch& batch : take(*loader, loader->batches_per_epoch())) {
    ASSERT_LE(difference(batch, expected(batch, *source_)), kMelTolerance);
    EXPECT_LE(batch.shape.frames, 64);
    EXPECT_LE(batch.shape.tokens, 20);
    cut += std::ranges::count(batch.mel_lengths, 64);
  }
  EXPECT_GT(cut, 0);
}

TEST_P(NativeLoaderTest, PutsTheSameClipsInPlaceOfBadOnes) {
  source_->bad = {3, 17};
  FeedOptions lenient = options();
  lenient.max_fault_share = 0.1;
  std::vector<std::vector<uint32_t>> orders;
  for (const int workers : {1, 3}) {
    lenient.workers = workers;
    const auto loader = load(lenient);
    auto& order = orders.emplace_back();
    uint64_t replaced = 0;
    for (const HostBatch& batch : take(*loader, loader->batches_per_epoch())) {
      ASSERT_LE(difference(batch, expected(batch, *source_)), kMelTolerance);
      order.insert(order.end(), batch.info.clips.begin(), batch.info.clips.end());
      replaced += batch.info.replaced;
    }
    EXPECT_GE(replaced, 2U);
    EXPECT_EQ(loader->statistics().replaced, replaced);
    const auto faults = loader->faults();
    ASSERT_EQ(faults.size(), 2U);
    EXPECT_EQ(faults[0].id, "clip3");
    EXPECT_EQ(std::ranges::count(order, 3U) + std::ranges::count(order, 17U), 0);
  }
  EXPECT_EQ(orders[0], orders[1]);
}

TEST_P(NativeLoaderTest, StopsWhereTooManyClipsAreBad) {
  source_->bad = {3, 17};
  const auto loader = load(options());
  EXPECT_THAT(testing_support::error_message([&] { take(*loader, 100); }),
              HasSubstr("max_fault_share"));
}

TEST_P(NativeLoaderTest, StopsWhereEveryClipIsBad) {
  for (uint32_t row = 0; row < 30; ++row)
    source_->bad.insert(row);
  FeedOptions lenient = options();
  lenient.max_fault_share = 1;
  const auto loader = load(lenient);
  EXPECT_THROW(take(*loader, 1), Error);
}

TEST_P(NativeLoaderTest, BringsAWorkersErrorToTheConsumer) {
  source_->when_read = [](uint32_t row) {
    if (row == 11) throw Error(ErrorKind::io, "the disk is gone");
  };
  const auto loader = load(options());
  EXPECT_THAT(testing_support::error_message([&] { take(*loader, 100); }),
              testing::AllOf(HasSubstr("gather"), HasSubstr("the disk is gone")));
}

TEST_P(NativeLoaderTest, AStuckClipHoldsUpItsOwnBatchAlone) {
  const auto order = [&] {
    const auto loader = load(options());
    return take(*loader, 4);
  }();
  const uint32_t stuck = order[2].info.clips[1];
  std::latch gate(1);
  source_->when_read = [&](uint32_t row) {
    if (row == stuck) gate.wait();
  };
  const auto loader = load(options());
  take(*loader, 2);            // those before come,
  while (source_->reads < 12)  // and clips of the batch behind it are read
    std::this_thread::yield();
  gate.count_down();
  EXPECT_EQ(take(*loader, 2)[0].info.clips, order[2].info.clips);
}

TEST_P(NativeLoaderTest, StoppingEndsItsThreadsAndLeavesBatches) {
  const testing_support::ThreadCensus census;
  const auto loader = load(options());
  take(*loader, 1);
  const auto kept = loader->next(consumer_->view());
  loader->stop();
  loader->stop();
  EXPECT_TRUE(census.all_gone());
  EXPECT_LE(difference(to_host(*kept), expected(to_host(*kept), *source_)), kMelTolerance);
}

TEST_P(NativeLoaderTest, CanEndAtAnyTime) {
  for (const size_t taken : {size_t{0}, size_t{1}, size_t{9}}) {
    const auto loader = load(options());
    take(*loader, taken);
  }
}

TEST_P(NativeLoaderTest, FillsABatchLargerThanTheCorpus) {
  FeedOptions large = options();
  large.batch_size = 64;
  const auto loader = load(large);
  EXPECT_EQ(loader->batches_per_epoch(), 1U);
  const auto batch = take(*loader, 1)[0];
  EXPECT_EQ(batch.info.clips.size(), 64U);
  EXPECT_EQ(batch.info.repeats, 34U);
  EXPECT_LE(difference(batch, expected(batch, *source_)), kMelTolerance);
}

TEST_P(NativeLoaderTest, FeedsACorpusOfOneClip) {
  source_ = std::make_shared<MemorySource>(1);
  const auto loader = load(options());
  const auto batch = take(*loader, 1)[0];
  EXPECT_EQ(batch.info.clips, std::vector<uint32_t>(4, 0));
  EXPECT_LE(difference(batch, expected(batch, *source_)), kMelTolerance);
}

TEST_P(NativeLoaderTest, CountsWhatItDid) {
  const auto loader = load(options());
  const LoaderStatistics before = loader->statistics();
  int64_t real = 0;
  int64_t all = 0;
  for (const HostBatch& batch : take(*loader, 10)) {
    real += batch.info.real_frames;
    all += int64_t{batch.shape.batch} * batch.shape.frames;
  }
  const LoaderStatistics between = loader->statistics().since(before);
  EXPECT_EQ(between.batches, 10U);
  EXPECT_EQ(between.clips, 40U);
  EXPECT_EQ(between.real_frames, real);
  EXPECT_EQ(between.frames, all);
  EXPECT_GT(between.seconds, 0);
  const auto stages = loader->statistics().stages;  // some work was done before
  ASSERT_FALSE(stages.empty());
  EXPECT_EQ(stages[0].name, "read");
  EXPECT_GE(stages[0].work.count, 40U);
  EXPECT_GT(stages[0].work.bytes, 0U);
  for (const LoaderStage& stage : stages)
    EXPECT_GE(stage.work.count, 10U) << stage.name;
}

TEST_P(NativeLoaderTest, NeitherAllocatesNorWaitsForStreamsOnceWarm) {
  if (!testing_support::allocations_are_counted()) GTEST_SKIP() << "a sanitizer counts instead";
  source_ = std::make_shared<MemorySource>(600);  // an epoch's end would plan the next
  std::atomic<size_t> grown{0};
  std::atomic<bool> counting{false};
  source_->when_read = [&](uint32_t) {
    static thread_local size_t last = 0;
    const size_t now = testing_support::allocations().count;
    if (counting) grown += now - last;
    last = now;
  };
  const auto loader = load(options());
  const auto turn = [&](size_t batches) {
    for (size_t i = 0; i < batches; ++i)
      loader->next(consumer_->view())->release();
  };
  turn(80);
  const auto before = world_.calls();
  const size_t mine = testing_support::allocations().count;
  counting = true;
  turn(40);
  counting = false;
  EXPECT_EQ(world_.calls().since(before).unsteady(), 0U);
  if (GetParam().fake) return;  // its streams are made of allocations
  EXPECT_EQ(testing_support::allocations().count, mine);
  EXPECT_EQ(grown, 0U);
}

INSTANTIATE_TEST_SUITE_P(Roles, NativeLoaderTest, testing::ValuesIn(kRolesCases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace seda::feed
