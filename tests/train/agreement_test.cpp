// SPDX-License-Identifier: Apache-2.0
// Ranks are threads here, whose engines learn nothing but do meet.
#include "seda/train/agreement.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <csignal>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/train/train.h"
#include "tests/feed/clips.h"
#include "tests/support/error_message.h"
#include "tests/train/fake_engine.h"

namespace seda::train {
namespace {

using ::seda::testing_support::error_message;
using ::seda::testing_support::TemporaryFolder;
using testing::HasSubstr;
using testing_support::FakeBehaviour;
using testing_support::FakeEngine;
using testing_support::FakeLibrary;

/// Where two ranks compare their values.
class Meeting {
 public:
  std::vector<double> largest(std::span<const double> values, size_t rank) {
    brought_[rank].assign(values.begin(), values.end());
    barrier_.arrive_and_wait();
    std::vector<double> out = brought_[0];
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = std::max(out[i], brought_[1].at(i));
    barrier_.arrive_and_wait();
    return out;
  }

 private:
  std::array<std::vector<double>, 2> brought_;
  std::barrier<> barrier_{2};
};

/// Of a rank that meets the other.
FakeBehaviour behaviour(Meeting& meeting, size_t rank) {
  return {.before_step = {}, .is_finite = {}, .largest = [&, rank](std::span<const double> values) {
            return meeting.largest(values, rank);
          }};
}

/// What both ranks make of `act`.
template <typename Act>
auto on_both(Act act) {
  auto second = std::async(std::launch::async, [&] { return act(size_t{1}); });
  auto first = act(size_t{0});
  return std::pair(std::move(first), second.get());
}

TEST(Agreement, WhatDiffersIsNamedOnBoth) {
  Meeting meeting;
  const auto [first, second] = on_both([&](size_t rank) {
    FakeEngine engine({}, behaviour(meeting, rank));
    const std::vector<SharedFact> facts = {{"seeds", 4}, {"steps", rank == 0 ? 100.0 : 90.0}};
    return error_message([&] { require_same(engine, facts); });
  });
  EXPECT_THAT(first, HasSubstr("the ranks differ in steps: from 90 to 100, here 100"));
  EXPECT_THAT(second, HasSubstr("here 90"));
}

TEST(Agreement, OthersWaitForEachPartOfTheLeadersWork) {
  Meeting meeting;
  const auto [parts, calls] = on_both([&](size_t rank) {
    int met = 0;
    FakeBehaviour counted = behaviour(meeting, rank);
    counted.largest = [&, meet = counted.largest](std::span<const double> values) {
      ++met;
      return meet(values);
    };
    FakeEngine engine({}, counted);
    LeaderWork work(engine);
    if (rank == 1) {
      work.wait();
      return met;
    }
    work.part_done();
    work.part_done();
    work.done();
    return met;
  });
  EXPECT_EQ(parts, 3);
  EXPECT_EQ(calls, 3);
}

/// Two ranks that train in one folder.
class TwoRanks : public testing::Test {
 protected:
  TwoRanks() {
    set("data.text.phonemes", false);
    set("data.text.tokenizer", std::string("characters"));
    set("data.model_gpu", std::string("cpu"));
    set("data.num_workers", int64_t{1});
    set("data.batch_size", int64_t{2});
    set("data.validation_share", 0.2);
    set("training.max_steps", int64_t{12});
    set("training.checkpoint_every", int64_t{4});
    set("training.eval_every", int64_t{6});
    set("training.checkpoint_dir", (folder_ / "runs").string());
  }

  void set(const char* key, config::Value value) {
    config_.set(key, std::move(value), {.origin = config::Origin::flag, .place = {}, .flag = "x"});
  }

  TrainOptions options(size_t rank) const {
    TrainOptions options = train_options(config_, corpus_.path());
    options.ranks = {.rank = static_cast<int>(rank),
                     .count = 2,
                     .local_rank = static_cast<int>(rank),
                     .local_count = 2,
                     .address = "nowhere",
                     .port = 1};
    return options;
  }

  TrainReport run(size_t rank, const FakeBehaviour& with) {
    FakeLibrary library;
    library.behaviour = with;
    return train(options(rank), library, platform_);
  }

  feed::Clips corpus_{20};
  TemporaryFolder folder_;
  config::Config config_;
  device::Platform platform_;
  Meeting meeting_;
};

TEST_F(TwoRanks, OnePreparesAndTheFirstAloneValidatesAndWrites) {
  const auto [first, second] =
      on_both([&](size_t rank) { return run(rank, behaviour(meeting_, rank)); });
  EXPECT_EQ(first.updates, 12u);
  EXPECT_EQ(second.updates, 12u);
  EXPECT_EQ((first.cache_state == "built") + (second.cache_state == "built"), 1);
  EXPECT_EQ((first.cache_state == "loaded") + (second.cache_state == "loaded"), 1);
  EXPECT_TRUE(first.validation.has_value());
  EXPECT_FALSE(second.validation.has_value());
  EXPECT_EQ(first.checkpoint.filename(), "step-00000012");
  EXPECT_TRUE(second.checkpoint.empty());
}

TEST_F(TwoRanks, WhatOneIsAskedStopsBothAfterTheSameStep) {
  const auto [first, second] = on_both([&](size_t rank) {
    FakeBehaviour with = behaviour(meeting_, rank);
    const auto asked = std::make_shared<bool>(false);
    if (rank == 1) {
      with.before_step = [=](uint64_t update) { *asked = update == 4; };
    }
    with.largest = [=, meet = with.largest](std::span<const double> values) {
      const double signal = *asked ? SIGTERM : 0;
      return meet(*asked ? std::span(&signal, 1) : values);
    };
    return run(rank, with);
  });
  EXPECT_EQ(first.updates, 5u);
  EXPECT_EQ(second.updates, 5u);
  EXPECT_EQ(first.stopped_by, "SIGTERM");
  EXPECT_EQ(second.stopped_by, "SIGTERM");
  EXPECT_EQ(first.checkpoint.filename(), "step-00000005");
}

TEST_F(TwoRanks, WithABudgetOfFramesHaveTheSameShapeInEachStep) {
  for (int i = 0; i < 20; ++i)
    corpus_.sing(i, 2000 + 900 * static_cast<size_t>(i));
  set("data.batch_frames", int64_t{160});
  std::array<std::vector<feed::BatchShape>, 2> shapes;
  const auto [first, second] = on_both([&](size_t rank) {
    FakeBehaviour with = behaviour(meeting_, rank);
    with.when_given = [&, rank](const feed::Batch& batch, const StepOptions& /*options*/) {
      shapes[rank].push_back(batch.shape);
    };
    return run(rank, with);
  });
  ASSERT_GE(shapes[0].size(), 12u);
  for (size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(shapes[0][i], shapes[1][i]) << "step " << i;
    EXPECT_EQ(shapes[0][i].batch, std::max(1, 160 / shapes[0][i].frames));
  }
  EXPECT_THAT(first.plan, testing::Contains(HasSubstr("with at most 320 frames a step in all")));
  EXPECT_EQ(second.updates, 12u);
}

TEST_F(TwoRanks, WithDifferentBudgetsOfFramesAreRefused) {
  const auto [first, second] = on_both([&](size_t rank) {
    FakeLibrary library;
    library.behaviour = behaviour(meeting_, rank);
    TrainOptions own = options(rank);
    own.config.set("data.batch_frames", int64_t{100 + static_cast<int64_t>(rank)}, {});
    return error_message([&] { train(own, library, platform_); });
  });
  EXPECT_THAT(first, HasSubstr("the ranks differ in data.batch_frames: from 100 to 101, here 100"));
  EXPECT_THAT(second, HasSubstr("here 101"));
}

TEST_F(TwoRanks, WithDifferentSeedsAreRefused) {
  const auto [first, second] = on_both([&](size_t rank) {
    FakeLibrary library;
    library.behaviour = behaviour(meeting_, rank);
    TrainOptions own = options(rank);
    own.seed = rank;
    return error_message([&] { train(own, library, platform_); });
  });
  EXPECT_THAT(first, HasSubstr("the ranks differ in training.seed: from 0 to 1, here 0"));
  EXPECT_THAT(second, HasSubstr("here 1"));
}

}  // namespace
}  // namespace seda::train
