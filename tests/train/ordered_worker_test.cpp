// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/ordered_worker.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"

namespace seda::train {
namespace {

using testing::ElementsAre;

TEST(OrderedWorker, CallsInOrder) {
  std::vector<int> calls;
  OrderedWorker worker("test");
  for (int i = 0; i < 4; ++i)
    worker.post([&calls, i] { calls.push_back(i); });
  worker.wait();
  EXPECT_THAT(calls, ElementsAre(0, 1, 2, 3));
}

TEST(OrderedWorker, FailureDropsTheRestAndIsThrownAgain) {
  std::vector<int> calls;
  OrderedWorker worker("test");
  worker.post([] { throw_error(ErrorKind::unavailable, "gone"); });
  EXPECT_EQ(seda::testing_support::error_message([&] { worker.wait(); }), "gone");
  worker.post([&calls] { calls.push_back(1); });
  EXPECT_EQ(seda::testing_support::error_message([&] { worker.wait(); }), "gone");
  EXPECT_TRUE(calls.empty());
}

TEST(OrderedWorker, EndsWithoutWaitingForCalls) {
  const OrderedWorker worker("test");
}

}  // namespace
}  // namespace seda::train
