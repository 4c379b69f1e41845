// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/split.h"

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda::dataset {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

std::vector<Utterance> clips(size_t count) {
  std::vector<Utterance> list(count);
  for (size_t i = 0; i < count; ++i)
    list[i].id = fmt::format("clip-{}", i);
  return list;
}

size_t held_out(const std::vector<Utterance>& list) {
  return static_cast<size_t>(std::ranges::count(list, Split::validation, &Utterance::split));
}

TEST(Split, ByHashTakesAboutTheShare) {
  auto list = clips(20000);
  split_by_hash(list, 0.02);
  EXPECT_NEAR(static_cast<double>(held_out(list)), 400, 80);
}

TEST(Split, NewClipsMoveNoOther) {
  auto few = clips(5000);
  auto many = clips(10000);
  split_by_hash(few, 0.05);
  split_by_hash(many, 0.05);
  many.resize(few.size());
  EXPECT_EQ(few, many);
}

TEST(Split, LargerShareKeepsWhatWasHeldOut) {
  for (const Utterance& clip : clips(1000)) {
    EXPECT_LE(is_held_out(clip.id, 0.02), is_held_out(clip.id, 0.1)) << clip.id;
  }
}

TEST(Split, TenClipsHoldOutAtLeastOne) {
  for (size_t count = 10; count < 60; ++count) {
    auto list = clips(count);
    split_by_hash(list, 0.001);
    EXPECT_EQ(held_out(list), 1u) << count;
  }
}

TEST(Split, NineClipsMayHoldOutNone) {
  auto list = clips(9);
  split_by_hash(list, 1e-9);
  EXPECT_EQ(held_out(list), 0u);
}

TEST(Split, TrainIsNeverLeftEmpty) {
  for (size_t count = 1; count < 12; ++count) {
    auto list = clips(count);
    split_by_hash(list, 0.9999);
    EXPECT_LT(held_out(list), count) << count;
  }
}

TEST(Split, NoShareHoldsOutNone) {
  auto list = clips(100);
  split_by_hash(list, 0);
  EXPECT_EQ(held_out(list), 0u);
  std::vector<Utterance> none;
  split_by_hash(none, 0.5);
}

TEST(Split, ShareOutOfRangeIsRefused) {
  auto list = clips(3);
  for (const double share : {-0.1, 1.0, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(error_message([&] { split_by_hash(list, share); }), HasSubstr("expected 0 to"));
  }
}

TEST(Split, ListDecidesAlone) {
  auto list = clips(4);
  list[0].split = Split::validation;
  split_by_list(list, {"clip-2"});
  EXPECT_EQ(list[0].split, Split::train);
  EXPECT_EQ(list[2].split, Split::validation);
  EXPECT_EQ(held_out(list), 1u);
}

TEST(Split, ListOfEveryClipIsRefused) {
  auto list = clips(2);
  EXPECT_THAT(error_message([&] { split_by_list(list, {"clip-0", "clip-1"}); }),
              HasSubstr("names all 2 clips"));
}

}  // namespace
}  // namespace seda::dataset
