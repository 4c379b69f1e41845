// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/fault_log.h"

#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::error_message;

Fault fault(uint32_t row) {
  return {"clip" + std::to_string(row), "audio_truncated", "cut"};
}

TEST(FaultLog, CountsAClipOnceHoweverOftenItIsMet) {
  FaultLog log(100, 0.02);
  for (int epoch = 0; epoch < 5; ++epoch) {
    log.add(7, fault(7));
    log.add(3, fault(3));
  }
  EXPECT_EQ(log.faults(), (std::vector<Fault>{fault(3), fault(7)}));
}

TEST(FaultLog, StopsAboveTheShareAndListsTheFirstTen) {
  FaultLog log(100, 0.11);
  for (uint32_t row = 0; row < 11; ++row)
    log.add(row, fault(row));
  const std::string message = error_message([&] { log.add(11, fault(11)); });
  EXPECT_THAT(message, HasSubstr("12 of 100 clips are bad"));
  EXPECT_THAT(message, HasSubstr("data.max_fault_share (0.11)"));
  EXPECT_THAT(message, HasSubstr("clip9 audio_truncated: cut\n  and 2 more"));
  EXPECT_THAT(message, Not(HasSubstr("clip10")));
}

TEST(FaultLog, WithNoShareAllowedTheFirstStops) {
  FaultLog log(1000000, 0);
  EXPECT_EQ(log.faults(), std::vector<Fault>{});
  EXPECT_THROW(log.add(0, fault(0)), Error);
}

TEST(FaultLog, TakesFaultsFromManyThreads) {
  FaultLog log(1000, 1);
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&log] {
        for (uint32_t row = 0; row < 250; ++row)
          log.add(row, fault(row));
      });
    }
  }
  EXPECT_EQ(log.faults().size(), 250U);
}

}  // namespace
}  // namespace seda::feed
