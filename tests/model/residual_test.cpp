// SPDX-License-Identifier: Apache-2.0
// The plain path: what it computes is, bit for bit, the formulas in their order.
#include "seda/model/residual.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/conv_layer.h"
#include "seda/model/feed_forward.h"
#include "seda/model/time_conv.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;
using testing_support::noise_of;

constexpr DropoutOptions kDropping = {.rate = 0.25, .site = 3};

class ResidualTest : public testing::TestWithParam<torch::ScalarType> {
 protected:
  ResidualTest() {
    torch::manual_seed(1);
    const auto options = torch::TensorOptions(GetParam());
    sequence_ = make_sequence(ints({3, 5, 0}), 5, 4, options, &noise_);
    x_ = torch::randn({3, 5, 8}, options);
    branch_ = torch::randn({3, 5, 8}, options);
    rows_ = torch::randn({3, 1, 24}, options).chunk(3, 2);
    layer_->weight = torch::randn({8}, options);
    layer_->bias = torch::randn({8}, options);
  }

  torch::Tensor kept() const { return dropout(branch_, kDropping, &noise_); }
  torch::Tensor layer_norm(const torch::Tensor& x) const {
    return torch::layer_norm(x, {8}, layer_->weight, layer_->bias);
  }

  Noise noise_ = noise_of(4);
  Sequence sequence_;
  torch::Tensor x_;
  torch::Tensor branch_;
  std::vector<torch::Tensor> rows_;
  torch::nn::LayerNorm layer_{torch::nn::LayerNormOptions({8})};
};

TEST_P(ResidualTest, IsWhatItWasMadeOf) {
  Residual stream(x_, sequence_);
  EXPECT_TRUE(stream.value().is_same(x_));
  EXPECT_TRUE(torch::equal(stream.norm(scale_of(layer_)), layer_norm(x_)));
}

TEST_P(ResidualTest, AddsABranchThatIsDropped) {
  Residual stream(x_, sequence_);
  stream.add(branch_, kDropping);
  EXPECT_TRUE(torch::equal(stream.norm(scale_of(layer_)), layer_norm(x_ + kept())));
  EXPECT_TRUE(torch::equal(stream.value(), x_ + kept()));
}

TEST_P(ResidualTest, AddsABranchBehindAGate) {
  Residual stream(x_, sequence_);
  stream.add(branch_, kDropping, rows_[2]);
  const auto sum = torch::addcmul(x_, kept(), rows_[2]);
  const auto expected = torch::addcmul(rows_[0], torch::layer_norm(sum, {8}), rows_[1] + 1);
  EXPECT_TRUE(torch::equal(stream.norm(scale_of_rows(rows_[1], rows_[0])), expected));
  EXPECT_TRUE(torch::equal(stream.value(), sum));
}

TEST_P(ResidualTest, AddsEachBranchOnce) {
  Residual stream(x_, sequence_);
  stream.add(branch_, {}, rows_[2]);
  stream.add(branch_, {});
  stream.add(branch_, {});
  const auto sum = torch::addcmul(x_, branch_, rows_[2]) + branch_ + branch_;
  EXPECT_TRUE(torch::equal(stream.value(), sum));
  EXPECT_TRUE(torch::equal(stream.value(), sum));
}

TEST_P(ResidualTest, NormsOfThreeAreThoseOfRealNeighbours) {
  Residual stream(x_, sequence_);
  stream.add(branch_, kDropping);
  const auto expected = neighbours(layer_norm(x_ + kept()) * sequence_.keep, 3);
  EXPECT_TRUE(torch::equal(stream.norm_of_three(scale_of(layer_)), expected));
}

TEST_P(ResidualTest, AConvLayerAddsWhatItGives) {
  ConvLayer layer(ConvLayerOptions{.inputs = 8, .outputs = 8, .dropout = kDropping});
  layer->to(GetParam());
  Residual stream(x_, sequence_);
  layer->add_to(stream, sequence_);
  EXPECT_TRUE(torch::equal(stream.value(), x_ + layer->forward(x_, sequence_)));
}

TEST_P(ResidualTest, AFeedForwardOfThreeIsThatOfThePlaces) {
  FeedForward feed_forward(8, 12);
  feed_forward->to(GetParam());
  const auto three = neighbours(x_ * sequence_.keep, 3);
  EXPECT_TRUE(torch::equal(feed_forward->forward_of_three(three, sequence_),
                           feed_forward->forward(x_, sequence_)));
}

TEST_P(ResidualTest, TakesFusedKernelsWhereTheyFit) {
  EXPECT_FALSE(takes_fused(x_, sequence_));
  sequence_.fused = true;
  EXPECT_TRUE(takes_fused(x_, sequence_));
  EXPECT_FALSE(takes_fused(torch::zeros({1, 2, 12}), sequence_));
  EXPECT_TRUE(takes_fused(torch::zeros({1, 2, 2048}), sequence_));
  EXPECT_FALSE(takes_fused(torch::zeros({1, 2, 2056}), sequence_));
}

INSTANTIATE_TEST_SUITE_P(Types, ResidualTest,
                         testing::Values(torch::kFloat32, torch::kFloat64, torch::kBFloat16));

}  // namespace
}  // namespace seda::model
