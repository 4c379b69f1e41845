// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/worker_pool.h"

#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/base/thread.h"
#include "tests/pipeline/eventually.h"
#include "tests/pipeline/number_queue.h"
#include "tests/support/error_message.h"

namespace seda::pipeline {
namespace {

using testing::ElementsAre;
using testing::StartsWith;
using testing_support::error_message;
using testing_support::eventually;
using testing_support::NumberQueue;
using testing_support::ThreadCensus;

class WorkerPoolTest : public testing::Test {
 protected:
  ~WorkerPoolTest() override { EXPECT_TRUE(census_.all_gone()); }

  /// A stage that takes numbers and adds them up.
  WorkerPool::Body adder() {
    return [this](Worker& worker) {
      const auto item = [&] {
        const ActivityScope waiting(worker.statistics, Activity::blocked_in);
        return numbers_.get(worker.leaving);
      }();
      if (!item) return false;
      sum_ += *item;
      worker.statistics.add(1);
      return true;
    };
  }

  /// One that waits until the pool stops.
  static bool wait_for_stop(Worker& worker) {
    return eventually([&] { return worker.leaving.stop_requested(); });
  }

  ThreadCensus census_;
  SteadyClock clock_;
  NumberQueue numbers_{4};
  std::atomic<int> sum_{0};
};

TEST_F(WorkerPoolTest, RunsUntilThereIsNoMoreWork) {
  WorkerPool pool({.name = "add", .workers = 3, .when_done = {}}, clock_, adder());
  for (int i = 1; i <= 100; ++i)
    ASSERT_TRUE(numbers_.put(i));
  numbers_.close();
  pool.join();
  EXPECT_EQ(sum_, 5050);
  EXPECT_EQ(pool.statistics().count, 100U);
  EXPECT_EQ(pool.statistics().workers, 0);
  EXPECT_EQ(pool.size(), 0);
}

TEST_F(WorkerPoolTest, ThreadsCarryTheNameOfTheStage) {
  std::mutex mutex;
  std::set<std::string> names;
  WorkerPool pool({.name = "mel", .workers = 2, .when_done = {}}, clock_, [&](Worker&) {
    const std::scoped_lock lock(mutex);
    names.insert(thread_name());
    return false;
  });
  pool.join();
  EXPECT_THAT(names, ElementsAre("mel-0", "mel-1"));
}

TEST_F(WorkerPoolTest, DestructorStopsWorkersThatWaitForWork) {
  const WorkerPool pool({.name = "add", .workers = 4, .when_done = {}}, clock_, adder());
  EXPECT_TRUE(eventually([&] { return pool.statistics().workers == 4; }));
}

TEST_F(WorkerPoolTest, StopWakesWorkersWithAnItemInHand) {
  NumberQueue full(1);
  ASSERT_TRUE(full.put(0));
  std::atomic<bool> handed_on{true};
  WorkerPool pool({.name = "put", .workers = 1, .when_done = {}}, clock_, [&](Worker& worker) {
    const ActivityScope waiting(worker.statistics, Activity::blocked_out);
    handed_on = full.put(1, worker.stopping);
    return true;
  });
  EXPECT_TRUE(eventually([&] { return pool.statistics().blocked_out_s > 0; }));
  pool.stop();
  pool.join();
  EXPECT_FALSE(handed_on);
}

TEST_F(WorkerPoolTest, GrowsAndShrinks) {
  WorkerPool pool({.name = "add", .workers = 1, .when_done = {}}, clock_, adder());
  const auto has = [&](int workers) {
    return eventually([&] { return pool.statistics().workers == workers; });
  };
  pool.resize(5);
  EXPECT_EQ(pool.size(), 5);
  EXPECT_TRUE(has(5));
  pool.resize(2);
  EXPECT_EQ(pool.size(), 2);
  EXPECT_TRUE(has(2));
  pool.resize(3);
  EXPECT_TRUE(has(3));
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(numbers_.put(1));
  numbers_.close();
  pool.join();
  EXPECT_EQ(sum_, 50);
}

TEST_F(WorkerPoolTest, AWorkerTakenAwayFinishesItsItem) {
  std::atomic<int> begun{0};
  std::atomic<int> finished{0};
  std::atomic<bool> go{false};
  WorkerPool pool({.name = "slow", .workers = 2, .when_done = {}}, clock_, [&](Worker& worker) {
    ++begun;
    EXPECT_TRUE(eventually([&] { return go.load() || worker.stopping.stop_requested(); }));
    ++finished;
    return begun < 100;
  });
  EXPECT_TRUE(eventually([&] { return begun == 2; }));
  pool.resize(1);
  EXPECT_EQ(pool.statistics().workers, 2);  // still at its item
  go = true;
  pool.join();
  EXPECT_EQ(begun, finished);
}

TEST_F(WorkerPoolTest, LeavingWorkersDoNotEndTheStage) {
  std::atomic<int> done{0};
  WorkerPool pool({.name = "add", .workers = 4, .when_done = [&](const auto&) { ++done; }}, clock_,
                  adder());
  pool.resize(1);
  EXPECT_TRUE(eventually([&] { return pool.statistics().workers == 1; }));
  EXPECT_EQ(done, 0);
  ASSERT_TRUE(numbers_.put(3));
  numbers_.close();
  pool.join();
  EXPECT_EQ(sum_, 3);
  EXPECT_EQ(done, 1);
}

TEST_F(WorkerPoolTest, LastWorkerSaysItIsDoneOnce) {
  std::atomic<int> done{0};
  for (int round = 0; round < 50; ++round) {
    WorkerPool pool({.name = "none", .workers = 3, .when_done = [&](const auto&) { ++done; }},
                    clock_, [](Worker&) { return false; });
    pool.join();
    EXPECT_EQ(done, round + 1);
    pool.resize(2);  // nothing to do: no thread
    EXPECT_EQ(pool.size(), 0);
  }
}

TEST_F(WorkerPoolTest, FirstErrorStopsAllAndIsThrownWithTheStagesName) {
  std::atomic<int> done{0};
  WorkerPool pool({.name = "decode", .workers = 3, .when_done = [&](const auto&) { ++done; }},
                  clock_, [](Worker& worker) {
                    if (worker.index == 1) throw Error(ErrorKind::io, "clip.wav: no space");
                    return wait_for_stop(worker);
                  });
  EXPECT_EQ(error_message([&] { pool.join(); }), "decode: clip.wav: no space");
  EXPECT_TRUE(pool.stop_token().stop_requested());
  EXPECT_EQ(done, 1);
  try {
    pool.check();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
}

/// The kind that `thrown` becomes.
template <typename Thrown>
std::string kind_and_text(const Clock& clock, Thrown thrown) {
  WorkerPool pool({.name = "x", .workers = 1, .when_done = {}}, clock,
                  [&](Worker&) -> bool { throw thrown; });
  try {
    pool.join();
  } catch (const Error& error) {
    return fmt::format("{} {}", static_cast<int>(error.kind()), error.what());
  }
  return "nothing";
}

TEST_F(WorkerPoolTest, OtherExceptionsBecomeErrors) {
  const auto number = [](ErrorKind kind) { return std::to_string(static_cast<int>(kind)); };
  EXPECT_EQ(kind_and_text(clock_, std::runtime_error("odd")),
            number(ErrorKind::internal) + " x: odd");
  EXPECT_THAT(kind_and_text(clock_, std::bad_alloc()), StartsWith(number(ErrorKind::memory)));
  EXPECT_THAT(kind_and_text(clock_, 7), StartsWith(number(ErrorKind::internal) + " x: an"));
}

TEST_F(WorkerPoolTest, CheckIsSilentWhileAllIsWell) {
  const WorkerPool pool({.name = "add", .workers = 2, .when_done = {}}, clock_, adder());
  EXPECT_NO_THROW(pool.check());
}

TEST_F(WorkerPoolTest, NoWorkersIsABug) {
  EXPECT_THAT(error_message([&] {
                WorkerPool pool({.name = "add", .workers = 0, .when_done = {}}, clock_, adder());
              }),
              StartsWith("add: a stage needs a worker"));
}

TEST_F(WorkerPoolTest, ErrorReachesTheConsumerThroughTheStopToken) {
  NumberQueue results(1);
  WorkerPool pool({.name = "mel", .workers = 2, .when_done = {}}, clock_,
                  [](Worker&) -> bool { throw Error(ErrorKind::config, "n_fft"); });
  EXPECT_EQ(results.get(pool.stop_token()), std::nullopt);
  EXPECT_EQ(error_message([&] { pool.check(); }), "mel: n_fft");
}

/// A chain of two stages whose first is resized all the time.
TEST_F(WorkerPoolTest, ResizedAtRandomNothingIsLost) {
  constexpr int kItems = 3000;
  NumberQueue results(8);
  NumberQueue work(4);
  WorkerPool pool(
      {.name = "copy", .workers = 2, .when_done = [&](const auto&) { results.close(); }}, clock_,
      [&](Worker& worker) {
        const auto item = work.get(worker.leaving);
        return item && results.put(*item, worker.stopping);
      });
  const std::jthread producer([&] {
    for (int i = 0; i < kItems; ++i)
      ASSERT_TRUE(work.put(i));
    work.close();
  });
  std::set<int> seen;
  for (int i = 0; const auto result = results.get(); ++i) {
    EXPECT_TRUE(seen.insert(*result).second) << *result << " came twice";
    if (i % 10 == 0) pool.resize(1 + (i / 10 * 7) % 5);
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kItems));
  pool.join();
}

TEST_F(WorkerPoolTest, StopAtAnyMomentLeavesNoThread) {
  for (int round = 0; round < 200; ++round) {
    WorkerPool pool({.name = "spin", .workers = 3, .when_done = {}}, clock_,
                    [&](Worker&) { return ++sum_ > 0; });
    for (int i = 0; i < round; ++i)
      pool.check();
    if (round % 2 == 0) pool.resize(1 + round % 4);
    if (round % 3 == 0) pool.stop();
  }
}

}  // namespace
}  // namespace seda::pipeline
