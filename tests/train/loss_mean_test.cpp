// SPDX-License-Identifier: Apache-2.0
#include "seda/train/loss_mean.h"

#include <gtest/gtest.h>

namespace seda::train {
namespace {

TEST(LossMean, WeighsAndKeepsTheLargestNorm) {
  LossMean mean;
  mean.add({.total = 1, .prior = 2, .duration = 3, .flow = 4, .gradient_norm = 9}, 3);
  mean.add({.total = 5, .prior = 6, .duration = 7, .flow = 8, .gradient_norm = 2, .finite = false},
           1);
  const StepLosses value = mean.value();
  EXPECT_FLOAT_EQ(value.total, 2);
  EXPECT_FLOAT_EQ(value.prior, 3);
  EXPECT_FLOAT_EQ(value.duration, 4);
  EXPECT_FLOAT_EQ(value.flow, 5);
  EXPECT_EQ(value.gradient_norm, 9);
  EXPECT_FALSE(value.finite);
  EXPECT_EQ(LossMean().value().total, 0);
}

}  // namespace
}  // namespace seda::train
