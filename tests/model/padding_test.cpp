// SPDX-License-Identifier: Apache-2.0
// Masks, sequences and the layers that must not see padding.
#include <cmath>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/attention.h"
#include "seda/model/conv_layer.h"
#include "seda/model/feed_forward.h"
#include "seda/model/masks.h"
#include "seda/model/reference_encoder.h"
#include "seda/model/sequence.h"
#include "seda/model/time_conv.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;
using testing_support::largest_difference;

const auto kFloats = torch::TensorOptions(torch::kFloat32);

torch::Tensor drawn(torch::IntArrayRef shape) {
  torch::manual_seed(1);
  return torch::randn(shape);
}

TEST(Masks, LengthMaskIsTrueBelowTheLength) {
  const auto expected = torch::tensor({0, 0, 0, 1, 1, 0, 1, 1, 1}).view({3, 3}).to(torch::kBool);
  EXPECT_TRUE(torch::equal(length_mask(ints({0, 2, 3}), 3), expected));
  EXPECT_TRUE(torch::equal(length_mask(ints({0, 2, 9}).to(torch::kInt64), 3), expected));
}

TEST(Masks, AttentionMaskShowsEachQueryTheSameKeys) {
  const auto mask = length_mask(ints({1, 2}), 2);
  const auto found = attention_mask(mask).expand({2, 1, 2, 2});
  const auto expected = torch::tensor({1, 0, 1, 0, 1, 1, 1, 1}).view({2, 1, 2, 2});
  EXPECT_TRUE(torch::equal(found, expected.to(torch::kBool)));
}

TEST(Masks, ARealMeanLeavesPaddingOut) {
  const auto values = torch::tensor({1.0F, 2.0F, 100.0F, 3.0F, 100.0F, 100.0F}).view({2, 3, 1});
  EXPECT_FLOAT_EQ(real_mean(values, length_mask(ints({2, 1}), 3)).item<float>(), 2);
  EXPECT_FLOAT_EQ(real_mean(values, length_mask(ints({0, 0}), 3)).item<float>(), 0);
}

class PaddingTest : public testing::Test {
 protected:
  /// What the layer makes of the first row's real places, before and after a change at `place`.
  template <typename Layer>
  double effect(Layer& layer, int64_t place) {
    const torch::NoGradGuard no_grad;
    const Sequence sequence = make_sequence(ints({3, 5}), 5, 4, kFloats, nullptr);
    auto x = drawn({2, 5, 8});
    const auto before = layer->forward(x, sequence)[0].narrow(0, 0, 2).clone();
    x[0][place].add_(1 + drawn({8}));
    return largest_difference(layer->forward(x, sequence)[0].narrow(0, 0, 2), before);
  }
};

TEST_F(PaddingTest, AttentionSeesRealKeysAlone) {
  torch::manual_seed(2);
  Attention attention(8, 2);
  EXPECT_GT(effect(attention, 2), 1e-4);
  EXPECT_EQ(effect(attention, 3), 0);
  EXPECT_EQ(effect(attention, 4), 0);
}

TEST_F(PaddingTest, FeedForwardSeesRealNeighboursAlone) {
  torch::manual_seed(2);
  FeedForward feed_forward(8, 12);
  EXPECT_GT(effect(feed_forward, 2), 1e-4);
  EXPECT_EQ(effect(feed_forward, 3), 0);
}

TEST_F(PaddingTest, ConvLayerSeesRealNeighboursAlone) {
  torch::manual_seed(2);
  ConvLayer layer(ConvLayerOptions{.inputs = 8, .outputs = 8});
  EXPECT_GT(effect(layer, 2), 1e-4);
  EXPECT_EQ(effect(layer, 3), 0);
}

TEST(Attention, OfARowWithoutPlacesIsFinite) {
  torch::manual_seed(2);
  Attention attention(8, 2);
  auto x = drawn({2, 5, 8}).requires_grad_();
  const auto found = attention->forward(x, make_sequence(ints({0, 5}), 5, 4, kFloats, nullptr));
  found.sum().backward();
  EXPECT_TRUE(found.isfinite().all().item<bool>());
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST(Attention, EqualsTheNaiveSum) {
  torch::manual_seed(2);
  const torch::NoGradGuard no_grad;
  Attention attention(4, 1);
  attention->to(torch::kFloat64);
  const auto doubles = torch::TensorOptions(torch::kFloat64);
  const Sequence sequence = make_sequence(ints({3}), 4, 4, doubles, nullptr);
  const auto x = drawn({1, 4, 4}).to(torch::kFloat64);
  const auto found = attention->forward(x, sequence)[0];

  auto weights = attention->named_parameters();
  const auto qkv = torch::addmm(weights["to_qkv.bias"], x[0], weights["to_qkv.weight"].t());
  const auto turned = rotate(qkv.view({1, 4, 3, 1, 4}), sequence.turns)[0];  // [time, 3, 1, 4]
  for (int64_t t = 0; t < 4; ++t) {
    auto sum = torch::zeros({4}, doubles);
    double whole = 0;
    for (int64_t s = 0; s < 3; ++s) {
      const double weight = std::exp(turned[t][0][0].dot(turned[s][1][0]).item<double>() / 2);
      sum += weight * turned[s][2][0];
      whole += weight;
    }
    const auto expected = weights["to_output.weight"].mv(sum / whole) + weights["to_output.bias"];
    EXPECT_LT(largest_difference(found[t], expected), 1e-10);
  }
}

class TimeConvTest : public testing::TestWithParam<int64_t> {};

TEST_P(TimeConvTest, EqualsAConvolutionAndItsGradient) {
  const int64_t kernel = 5;
  torch::manual_seed(2);
  TimeConv conv(3, 4, kernel);
  conv->to(torch::kFloat64);
  auto x = torch::randn({2, GetParam(), 3}, torch::kFloat64).requires_grad_();
  auto same = x.detach().clone().requires_grad_();
  auto weights = conv->named_parameters();
  const auto filters = weights["product.weight"].detach().view({4, kernel, 3}).transpose(1, 2);
  const auto expected =
      torch::conv1d(same.transpose(1, 2), filters, weights["product.bias"].detach(), 1, kernel / 2);
  const auto found = conv->forward(x);
  EXPECT_LT(largest_difference(found, expected.transpose(1, 2)), 1e-12);
  found.square().sum().backward();
  expected.square().sum().backward();
  EXPECT_LT(largest_difference(x.grad(), same.grad()), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Times, TimeConvTest, testing::Values(1, 2, 3, 9));

TEST(ReferenceEncoder, PaddingDoesNotMatter) {
  const torch::NoGradGuard no_grad;
  torch::manual_seed(2);
  ReferenceEncoder encoder(testing_support::small_options());
  auto mel = drawn({2, 9, 6});
  const auto alone = encoder->forward(mel.narrow(0, 0, 1).narrow(1, 0, 5), ints({5}));
  mel[0].slice(0, 5).fill_(7);
  EXPECT_LT(largest_difference(encoder->forward(mel, ints({5, 9}))[0], alone[0]), 1e-5);
  EXPECT_TRUE(encoder->forward(mel, ints({0, 9})).isfinite().all().item<bool>());
}

}  // namespace
}  // namespace seda::model
