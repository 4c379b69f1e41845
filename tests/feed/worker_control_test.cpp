// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/worker_control.h"

#include <thread>

#include <gtest/gtest.h>

namespace seda::feed {
namespace {

/// A pool whose threads wait, and statistics that are told.
class WorkerControlTest : public testing::Test {
 protected:
  /// Looks, after a second in which workers were busy and blocked for so long in all.
  void second(double busy_s, double blocked_out_s, double wait_s) {
    now_.seconds += 1;
    now_.wait_s += wait_s;
    now_.stages[0].work.busy_s += busy_s;
    now_.stages[0].work.blocked_out_s += blocked_out_s;
    control_.update(now_);
  }

  SteadyClock clock_;
  pipeline::WorkerPool pool_{{.name = "wait", .workers = 4, .when_done = nullptr},
                             clock_,
                             [](pipeline::Worker& worker) { return rest(worker); }};
  WorkerControl control_{pool_, 6};
  LoaderStatistics now_ = [] {
    LoaderStatistics out;
    out.stages.resize(2);
    out.stages[0].name = "read";
    out.stages[1].name = "upload";
    return out;
  }();

 private:
  static bool rest(pipeline::Worker& worker) {
    while (!worker.leaving.stop_requested())
      std::this_thread::yield();
    return true;
  }
};

TEST_F(WorkerControlTest, DropsWorkersThatMostlyWaitForRoom) {
  for (int i = 0; i < 10; ++i)
    second(0.2, 3.8, 0);
  EXPECT_LT(pool_.size(), 4);
}

TEST_F(WorkerControlTest, AddsWorkersWhereTheConsumerWaits) {
  for (int i = 0; i < 10; ++i)
    second(pool_.size(), 0, 0.5);
  EXPECT_GT(pool_.size(), 4);
  EXPECT_LE(pool_.size(), 6);
}

TEST_F(WorkerControlTest, LeavesWorkersThatKeepUp) {
  for (int i = 0; i < 10; ++i)
    second(2.8, 1.2, 0);
  EXPECT_EQ(pool_.size(), 4);
}

TEST_F(WorkerControlTest, LooksOnceInAWhile) {
  EXPECT_FALSE(control_.is_due(0.1));
  EXPECT_TRUE(control_.is_due(0.3));
}

}  // namespace
}  // namespace seda::feed
