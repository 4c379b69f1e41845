// SPDX-License-Identifier: Apache-2.0
// What limit, statistics and failing resources add to the contract.
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/device/buffer.h"
#include "seda/device/limit_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "tests/support/failing_resource.h"
#include "tests/support/statistics_resource.h"

namespace seda::device {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::FailingResource;
using testing_support::MemoryStatistics;
using testing_support::StatisticsResource;

constexpr uint64_t kMebibyte = 1 << 20;

class LayeredResource : public testing::Test {
 protected:
  Platform platform_;
  PlainResource plain_{platform_, kCpu};
  StreamView stream_ = platform_.default_stream(kCpu);
};

TEST_F(LayeredResource, LimitErrorNamesRoleAskedUsedLimitAndWhatToLower) {
  LimitResource limit(plain_, {.limit_bytes = 8 * kMebibyte,
                               .role = "the data role",
                               .hint = "lower data.pipeline_buffer_size"});
  const Buffer held(6 * kMebibyte, limit, stream_);
  try {
    const Buffer over(3 * kMebibyte, limit, stream_);
    FAIL() << "went over the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("the data role"), HasSubstr("cpu"), HasSubstr("3.0 MiB"),
                      HasSubstr("6.0 MiB in use"), HasSubstr("limit of 8.0 MiB"),
                      HasSubstr("lower data.pipeline_buffer_size")));
  }
}

TEST_F(LayeredResource, LimitGivesExactlyItsBytes) {
  LimitResource limit(plain_, {.limit_bytes = 1000, .role = "test", .hint = ""});
  {
    const Buffer all(1000, limit, stream_);
    EXPECT_EQ(limit.used_bytes(), 1000u);
    EXPECT_THROW(Buffer(1, limit, stream_), Error);
  }
  EXPECT_EQ(limit.used_bytes(), 0u);
  EXPECT_NO_THROW(Buffer(1000, limit, stream_));
}

TEST_F(LayeredResource, RefusedAllocationReachesNobodyBelowALimit) {
  StatisticsResource below(plain_);
  LimitResource limit(below, {.limit_bytes = 10, .role = "test", .hint = ""});
  EXPECT_THROW(Buffer(11, limit, stream_), Error);
  EXPECT_EQ(below.statistics(), MemoryStatistics());
}

TEST_F(LayeredResource, FailureBelowFreesTheBudget) {
  FailingResource failing(plain_, {.fail_at = 1});
  LimitResource limit(failing, {.limit_bytes = 100, .role = "test", .hint = ""});
  EXPECT_THROW(Buffer(100, limit, stream_), Error);
  EXPECT_EQ(limit.used_bytes(), 0u);
  EXPECT_NO_THROW(Buffer(100, limit, stream_));
}

TEST_F(LayeredResource, LimitHoldsWhileThreadsRace) {
  constexpr uint64_t kLimit = 10'000;
  StatisticsResource below(plain_);
  LimitResource limit(below, {.limit_bytes = kLimit, .role = "test", .hint = ""});
  const auto race = [&] {
    for (int i = 0; i < 500; ++i) {
      try {
        const Buffer buffer(3000, limit, stream_);
        const Buffer second(3000, limit, stream_);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory);
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back(race);
  }
  EXPECT_LE(below.statistics().peak_bytes, kLimit);
  EXPECT_EQ(limit.used_bytes(), 0u);
}

TEST_F(LayeredResource, StatisticsCountWhatPasses) {
  StatisticsResource counted(plain_);
  {
    const Buffer one(100, counted, stream_);
    const Buffer two(50, counted, stream_);
    const Buffer none(0, counted, stream_);
  }
  const Buffer three(20, counted, stream_);
  EXPECT_EQ(counted.statistics(), (MemoryStatistics{.current_bytes = 20,
                                                    .peak_bytes = 150,
                                                    .total_bytes = 170,
                                                    .allocations = 3,
                                                    .deallocations = 2,
                                                    .failures = 0}));
}

TEST_F(LayeredResource, StatisticsCountFailuresApart) {
  FailingResource failing(plain_, {.fail_above_bytes = 10});
  StatisticsResource counted(failing);
  EXPECT_THROW(Buffer(11, counted, stream_), Error);
  EXPECT_EQ(counted.statistics(), (MemoryStatistics{.failures = 1}));
}

TEST_F(LayeredResource, FailingFailsOnceAtItsNumber) {
  FailingResource failing(plain_, {.fail_at = 2});
  EXPECT_NO_THROW(Buffer(1, failing, stream_));
  EXPECT_THROW(Buffer(1, failing, stream_), Error);
  EXPECT_NO_THROW(Buffer(1, failing, stream_));
}

TEST_F(LayeredResource, FailingFailsAlwaysAboveItsSize) {
  FailingResource failing(plain_, {.fail_above_bytes = 100});
  EXPECT_NO_THROW(Buffer(100, failing, stream_));
  EXPECT_THROW(Buffer(101, failing, stream_), Error);
  EXPECT_THROW(Buffer(101, failing, stream_), Error);
}

}  // namespace
}  // namespace seda::device
