// SPDX-License-Identifier: Apache-2.0
#include "seda/text/memo.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace seda::text {
namespace {

TEST(Memo, MakesOnceAndCounts) {
  Memo<std::string> memo(1000);
  int made = 0;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(memo.get("key", [&] { return ++made, std::string("value"); }), "value");
  }
  EXPECT_EQ(made, 1);
  EXPECT_EQ(memo.counts(), (MemoCounts{2, 1}));
}

TEST(Memo, NeverHoldsMoreThanItsCapacity) {
  Memo<int> memo(1280);
  for (int i = 0; i < 100'000; ++i)
    memo.get(std::to_string(i), [i] { return i; });
  EXPECT_LE(memo.size(), 1280u);
  EXPECT_GE(memo.size(), 600u);
}

TEST(Memo, WhatIsAskedForStays) {
  Memo<int> memo(1280);
  int made = 0;
  for (int i = 0; i < 50'000; ++i) {
    memo.get("often", [&] { return ++made; });
    memo.get(std::to_string(i), [i] { return i; });
  }
  EXPECT_EQ(made, 1);
}

TEST(Memo, ManyThreadsGetRightAnswers) {
  Memo<std::string> memo(256);
  std::atomic<uint64_t> asked{0};
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5000; ++i) {
        const std::string key = std::to_string((i * 7 + thread) % 997);
        ASSERT_EQ(memo.get(key, [&] { return "<" + key + ">"; }), "<" + key + ">");
        ++asked;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(memo.counts().hits + memo.counts().misses, asked);
}

}  // namespace
}  // namespace seda::text
