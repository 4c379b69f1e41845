// SPDX-License-Identifier: Apache-2.0
#include "seda/model/rotary.h"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace seda::model {
namespace {

constexpr int64_t kHeadSize = 8;

torch::Tensor drawn(int64_t time) {
  torch::manual_seed(1);
  return torch::randn({2, time, 3, 2, kHeadSize}, torch::kFloat64);
}

RotaryTable table_of(int64_t time) {
  return rotary_table(time, kHeadSize, torch::TensorOptions(torch::kFloat64));
}

/// Channel `i` of a vector at place t, turned.
double naive(const torch::Tensor& vector, int64_t t, int64_t i) {
  const int64_t half = kHeadSize / 2;
  const int64_t pair = i % half;
  const double angle =
      static_cast<double>(t) * std::pow(10000.0, -2.0 * static_cast<double>(pair) / kHeadSize);
  const double a = vector[pair].item<double>();
  const double b = vector[pair + half].item<double>();
  return i < half ? a * std::cos(angle) - b * std::sin(angle)
                  : b * std::cos(angle) + a * std::sin(angle);
}

TEST(Rotary, TurnsQueriesAndKeysAndLeavesValues) {
  const auto qkv = drawn(5);
  const auto found = rotate(qkv, table_of(5));
  for (int64_t t = 0; t < 5; ++t) {
    for (int64_t part = 0; part < 2; ++part) {
      for (int64_t i = 0; i < kHeadSize; ++i)
        EXPECT_NEAR(found[1][t][part][1][i].item<double>(), naive(qkv[1][t][part][1], t, i), 1e-12);
    }
  }
  EXPECT_TRUE(torch::equal(found.select(2, 2), qkv.select(2, 2)));
}

TEST(Rotary, ProductsDependOnDistanceAlone) {
  auto qkv = drawn(1).expand({2, 9, 3, 2, kHeadSize});
  const auto found = rotate(qkv, table_of(9));
  const auto query = found.select(2, 0)[0].select(1, 0);  // [time, head_size]
  const auto key = found.select(2, 1)[0].select(1, 0);
  const auto scores = query.matmul(key.t());
  for (int64_t t = 0; t + 4 < 9; ++t)
    EXPECT_NEAR(scores[t + 3][t].item<double>(), scores[3][0].item<double>(), 1e-12);
  EXPECT_GT(std::abs(scores[3][0].item<double>() - scores[4][0].item<double>()), 1e-3);
}

TEST(Rotary, GradientIsTurnedBack) {
  auto qkv = drawn(4).requires_grad_();
  const auto table = table_of(4);
  const auto weights = torch::randn(qkv.sizes(), torch::kFloat64);
  (rotate(qkv, table) * weights).sum().backward();
  // A turn keeps lengths and products: <R x, w> = <x, Rᵀ w>.
  const torch::NoGradGuard no_grad;
  EXPECT_LT((rotate(qkv.grad(), table) - weights).abs().max().item<double>(), 1e-12);
}

TEST(Rotary, AnglesAreExactFarOut) {
  const auto table = rotary_table(4000, kHeadSize, torch::TensorOptions(torch::kFloat32));
  EXPECT_NEAR(table.cosine[3999][0][0][0].item<double>(), std::cos(3999.0), 1e-6);
  EXPECT_NEAR(table.sine[3999][0][0][1].item<double>(), std::sin(399.9), 1e-3);
}

TEST(Rotary, OneKernelTakesHalvesOfWholeVectors) {
  const auto fits = [](int64_t head_size, torch::ScalarType type) {
    const auto options = torch::TensorOptions(type);
    return rotary_fits(torch::zeros({1, 2, 3, 1, head_size}, options),
                       rotary_table(2, head_size, options));
  };
  EXPECT_TRUE(fits(8, torch::kFloat32));
  EXPECT_FALSE(fits(12, torch::kFloat32));
  EXPECT_TRUE(fits(48, torch::kBFloat16));
  EXPECT_FALSE(fits(8, torch::kBFloat16));
  EXPECT_FALSE(fits(64, torch::kFloat64));
}

}  // namespace
}  // namespace seda::model
