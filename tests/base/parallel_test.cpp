// SPDX-License-Identifier: Apache-2.0
#include "seda/base/parallel.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/mutex.h"
#include "seda/base/thread.h"

namespace seda {
namespace {

TEST(ParallelFor, EveryItemIsDoneOnce) {
  for (const int threads : {1, 2, 7}) {
    for (const size_t grain : {size_t{1}, size_t{10}, size_t{5000}}) {
      std::vector<std::atomic<int>> done(1003);
      parallel_for(done.size(), {threads, grain}, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i)
          ++done[i];
      });
      for (const auto& count : done)
        ASSERT_EQ(count, 1);
    }
  }
}

TEST(ParallelFor, NothingToDoCallsNothing) {
  parallel_for(0, {4}, [](size_t, size_t) { FAIL(); });
}

TEST(ParallelFor, OneThreadIsTheCallers) {
  parallel_for(3, {1}, [caller = std::this_thread::get_id()](size_t, size_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(ParallelFor, ThreadsAreNamed) {
  Mutex mutex;
  std::set<std::string> names;
  parallel_for(100, {2, 1, "text"}, [&](size_t, size_t) {
    const MutexLock lock(mutex);
    names.insert(thread_name());
  });
  for (const auto& name : names)
    EXPECT_TRUE(name == "text-0" || name == "text-1") << name;
}

TEST(ParallelFor, AnExceptionStopsTheRestAndArrives) {
  std::atomic<size_t> done{0};
  EXPECT_THROW(parallel_for(1'000'000, {2},
                            [&](size_t begin, size_t) {
                              if (begin == 10) throw Error(ErrorKind::io, "planted");
                              ++done;
                            }),
               Error);
  EXPECT_LT(done, 1'000'000u);
}

TEST(ParallelFor, CtrlCStopsHandingOut) {
  const InterruptHandler handler;
  size_t done = 0;
  try {
    parallel_for(1000, {1}, [&](size_t, size_t) {
      if (++done == 5) raise(SIGINT);
    });
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(done, 5u);
}

}  // namespace
}  // namespace seda
