// SPDX-License-Identifier: Apache-2.0
#include "seda/base/nearest.h"

#include <vector>

#include <gtest/gtest.h>

namespace seda {
namespace {

const std::vector<std::string> kVerbs = {"train", "text", "tune", "validate", "config"};

TEST(EditDistance, CountsEachKindOfEdit) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("abc", "abcd"), 1u);
  EXPECT_EQ(edit_distance("abc", "axc"), 1u);
  EXPECT_EQ(edit_distance("trian", "train"), 1u) << "a swap of neighbours is one edit";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(EditDistance, IsSymmetric) {
  EXPECT_EQ(edit_distance("num_worker", "num_workers"), edit_distance("num_workers", "num_worker"));
}

TEST(NearestName, FindsWhatWasMeant) {
  EXPECT_EQ(nearest_name("trian", kVerbs), "train");
  EXPECT_EQ(nearest_name("TRAIN", kVerbs), "train");
  EXPECT_EQ(nearest_name("valdate", kVerbs), "validate");
}

TEST(NearestName, DashesAndUnderscoresAreEqual) {
  const std::vector<std::string> keys = {"batch_size"};
  EXPECT_EQ(nearest_name("Batch-Size", keys), "batch_size");
}

TEST(NearestName, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("xylophone", kVerbs), std::nullopt);
  EXPECT_EQ(nearest_name("train", {}), std::nullopt);
}

}  // namespace
}  // namespace seda
