// SPDX-License-Identifier: Apache-2.0
#include "seda/base/random.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda {
namespace {

using testing::ElementsAre;

static_assert(std::uniform_random_bit_generator<Random>);

// Published outputs of both algorithms.
TEST(Random, SplitmixGivesItsPublishedWords) {
  uint64_t state = 1234567;
  EXPECT_EQ(splitmix64(state), 6457827717110365317u);
  EXPECT_EQ(splitmix64(state), 3203168211198807973u);
  EXPECT_EQ(splitmix64(state), 9817491932198370423u);
}

TEST(Random, XoshiroGivesItsPublishedWords) {
  Random random(Random::State{1, 2, 3, 4});
  EXPECT_EQ(random(), 11520u);
  EXPECT_EQ(random(), 0u);
  EXPECT_EQ(random(), 1509978240u);
  EXPECT_EQ(random(), 1215971899390074240u);
}

// Never to change: the order of every epoch depends on these. Computed once by an independent
// implementation.
TEST(Random, SequenceOfSeedAndStreamIsPinned) {
  Random first(42, 0);
  EXPECT_EQ(first(), 2303456275738999573u);
  EXPECT_EQ(first(), 5438210688795116325u);
  Random second(42, 1);
  EXPECT_EQ(second(), 6361458328680127711u);
  EXPECT_DOUBLE_EQ(second.uniform(), 0.1426722613787509);
  EXPECT_EQ(second.below(1000), 716u);
}

TEST(Random, ShuffleIsPinned) {
  std::vector<int> order(8);
  std::iota(order.begin(), order.end(), 0);
  Random(7, 3).shuffle(std::span(order));
  EXPECT_THAT(order, ElementsAre(4, 2, 7, 6, 0, 5, 1, 3));
}

TEST(Random, StreamsOfOneSeedDiffer) {
  EXPECT_NE(Random(1, 0)(), Random(1, 1)());
  EXPECT_NE(Random(1, 0)(), Random(2, 0)());
  EXPECT_NE(Random(1, 2)(), Random(2, 1)());
}

TEST(Random, GoesOnFromItsState) {
  Random random(5);
  random();
  Random copy(random.state());
  EXPECT_EQ(copy, random);
  EXPECT_EQ(copy(), random());
}

TEST(Random, UniformFillsTheUnitIntervalEvenly) {
  Random random(1);
  std::array<int, 10> bins{};
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    ++bins[static_cast<size_t>(value * 10)];
  }
  for (const int count : bins)
    EXPECT_NEAR(count, 10'000, 500);  // 5 standard deviations
}

TEST(Random, UniformOfARangeStaysInside) {
  Random random(2);
  for (int i = 0; i < 10'000; ++i) {
    const double value = random.uniform(-3, 5);
    ASSERT_GE(value, -3.0);
    ASSERT_LT(value, 5.0);
  }
  EXPECT_LT(random.uniform(1.0, std::nextafter(1.0, 2.0)), std::nextafter(1.0, 2.0));
}

TEST(Random, BelowIsEvenWhereAModuloWouldNotBe) {
  // Of 2^64 words, modulo 3·2^62 would give the lowest third twice as often as the others.
  constexpr uint64_t kLimit = 3ull << 62;
  Random random(3);
  std::array<int, 3> thirds{};
  for (int i = 0; i < 30'000; ++i) {
    const uint64_t value = random.below(kLimit);
    ASSERT_LT(value, kLimit);
    ++thirds[value >> 62];
  }
  for (const int count : thirds)
    EXPECT_NEAR(count, 10'000, 410);
}

TEST(Random, BelowReachesEachSmallNumber) {
  Random random(4);
  std::array<int, 5> seen{};
  for (int i = 0; i < 1000; ++i)
    ++seen[random.below(5)];
  EXPECT_EQ(std::ranges::count(seen, 0), 0);
  EXPECT_EQ(random.below(1), 0u);
  EXPECT_EQ(random.below(0), 0u);
}

TEST(Random, ShuffleGivesEachOrderEquallyOften) {
  std::map<std::array<int, 3>, int> orders;
  Random random(6);
  for (int i = 0; i < 60'000; ++i) {
    std::array<int, 3> items{0, 1, 2};
    random.shuffle(std::span<int>(items));
    ++orders[items];
  }
  ASSERT_EQ(orders.size(), 6u);
  for (const auto& [order, count] : orders)
    EXPECT_NEAR(count, 10'000, 460);
}

TEST(Random, ShuffleOfNothingAndOfOneIsHarmless) {
  std::vector<int> items;
  Random(1).shuffle(std::span(items));
  items = {9};
  Random(1).shuffle(std::span(items));
  EXPECT_THAT(items, ElementsAre(9));
}

}  // namespace
}  // namespace seda
