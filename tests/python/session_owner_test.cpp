// SPDX-License-Identifier: Apache-2.0
#include "seda/python/session_owner.h"

#include <atomic>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/python/export_tensor.h"
#include "seda/python/held_batch.h"
#include "tests/pipeline/eventually.h"
#include "tests/python/memory_feed.h"
#include "tests/support/error_message.h"

namespace seda::python {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using testing_support::ThreadCensus;

constexpr feed::SamplerState kNowhere{0, 1000};  // no epoch has so many batches

class SessionOwnerTest : public testing::Test {
 protected:
  /// No clip is read while `slow_`.
  void read_slowly() {
    slow_ = true;
    feed_.source->when_read = [this](uint32_t) {
      while (slow_)
        std::this_thread::yield();
    };
  }

  MemoryFeed feed_;
  std::atomic<bool> slow_ = false;
  std::atomic<bool> waiting_ = false;
};

TEST_F(SessionOwnerTest, SeekGoesElsewhere) {
  SessionOwner owner(feed_.open(device::kCpu));
  owner.next(0);
  owner.seek({3, 2});
  EXPECT_EQ(owner.session()->position(), (feed::SamplerState{3, 2}));
  EXPECT_EQ(owner.next(0), nullptr);
  EXPECT_EQ(owner.next(3)->batch().info.batch, 2U);
}

TEST_F(SessionOwnerTest, AFailedSeekIsWhereItWas) {
  SessionOwner owner(feed_.open(device::kCpu));
  owner.next(0);
  EXPECT_THAT(error_message([&] { owner.seek(kNowhere); }), HasSubstr("batches in an epoch"));
  EXPECT_EQ(owner.session()->position(), (feed::SamplerState{0, 1}));
  EXPECT_EQ(owner.next(0)->batch().info.batch, 1U);
}

/// A batch keeps its slots, and another session's do not fit beside them.
TEST_F(SessionOwnerTest, WhereItCannotGoBackItIsClosed) {
  {
    const SessionOwner measured(feed_.open(device::cuda(0)));
    feed_.memory_bytes = feed_.backend->used_bytes(0) * 3 / 2;
  }
  SessionOwner owner(feed_.open(device::cuda(0)));
  const auto kept = owner.next(0);
  EXPECT_THAT(error_message([&] { owner.seek({1, 0}); }), HasSubstr("the model role"));
  EXPECT_THAT(error_message([&] { owner.next(0); }), HasSubstr("closed; make another"));
  EXPECT_THAT(error_message([&] { owner.seek({1, 0}); }), HasSubstr("closed; make another"));
}

TEST_F(SessionOwnerTest, AWaitGoesOnWhereASeekGoes) {
  read_slowly();
  SessionOwner owner(feed_.open(device::kCpu, [&] { waiting_ = true; }));
  std::shared_ptr<HeldBatch> found;
  std::jthread waiter([&] { found = owner.next(0); });
  while (!waiting_)
    std::this_thread::yield();
  const auto old = owner.session();
  std::jthread seeker([&] { owner.seek({0, 4}); });
  while (old.use_count() > 2)  // the owner's and this one: the waiter has left
    std::this_thread::yield();
  slow_ = false;
  waiter.join();
  EXPECT_EQ(found->batch().info.batch, 4U);
}

TEST_F(SessionOwnerTest, ManyMayTakeWhileOneSeeks) {
  SessionOwner owner(feed_.open(device::kCpu));
  std::atomic<int> taken = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          const uint64_t epoch = owner.session()->position().epoch;
          while (!stop.stop_requested() && owner.next(epoch) != nullptr)
            ++taken;
        }
      });
    }
    for (uint64_t epoch = 0; epoch < 100 || taken == 0; ++epoch) {
      owner.seek({epoch, 0});
      owner.session()->loader().statistics();
    }
  }
  EXPECT_GT(taken, 0);
  EXPECT_GE(owner.session()->position().epoch, 99u);
}

TEST_F(SessionOwnerTest, ClosingEndsTheThreadsWhateverIsHeld) {
  const ThreadCensus census;
  SessionOwner owner(feed_.open(device::kCpu));
  const auto batch = owner.next(0);
  const float first = batch->batch().arrays.mel[0];
  owner.seek({1, 0});
  const auto other = owner.next(1);
  owner.close();
  owner.close();
  EXPECT_TRUE(census.all_gone());
  EXPECT_EQ(batch->batch().arrays.mel[0], first);
  EXPECT_THAT(error_message([&] { owner.session(); }), HasSubstr("closed; make another"));
}

TEST_F(SessionOwnerTest, ItsEndEndsTheThreadsToo) {
  const ThreadCensus census;
  std::shared_ptr<HeldBatch> kept;
  {
    SessionOwner owner(feed_.open(device::kCpu));
    kept = owner.next(0);
  }
  EXPECT_TRUE(census.all_gone());
}

TEST_F(SessionOwnerTest, ClosingEndsAWait) {
  read_slowly();
  SessionOwner owner(feed_.open(device::kCpu, [&] { waiting_ = true; }));
  std::string said;
  std::jthread waiter([&] { said = error_message([&] { owner.next(0); }); });
  while (!waiting_)
    std::this_thread::yield();
  std::jthread closer([&] { owner.close(); });
  waiter.join();  // before the clip at hand is read
  slow_ = false;
  EXPECT_THAT(said, HasSubstr("closed; make another"));
}

}  // namespace
}  // namespace seda::python
