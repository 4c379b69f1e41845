// SPDX-License-Identifier: Apache-2.0
// Fused products, turns and attention against torch's own operations in double on the CPU.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/attention.h"
#include "seda/model/linear.h"
#include "seda/model/rotary.h"
#include "seda/model/sequence.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;
using testing_support::largest_difference;
using Tensors = std::vector<torch::Tensor>;

struct ProductShape {
  int64_t places;
  int64_t inputs;
  int64_t inner;
  int64_t outputs;
};

const std::vector<ProductShape> kProductShapes = {
    {1, 8, 8, 8}, {7, 64, 128, 24}, {33, 24, 40, 8}, {801, 256, 1024, 256}, {2048, 768, 512, 80}};

std::string words(const ProductShape& shape) {
  return std::to_string(shape.places) + " places, " + std::to_string(shape.inputs) + " to " +
         std::to_string(shape.inner) + " to " + std::to_string(shape.outputs);
}

torch::nn::Linear drawn_linear(int64_t inputs, int64_t outputs) {
  torch::nn::Linear linear(inputs, outputs);
  linear->to(torch::kFloat64);
  return linear;
}

/// Gives `there`, which is built alike, the values that `here` has in `type`, in that type and on a
/// GPU; and rounds those of `here`, so that both start alike.
void share_weights(torch::nn::Module& here, torch::nn::Module& there, torch::ScalarType type) {
  const torch::NoGradGuard no_grad;
  there.to(torch::Device(torch::kCUDA), type);
  const auto from = here.parameters();
  const auto to = there.parameters();
  for (size_t i = 0; i < from.size(); ++i) {
    from[i].copy_(from[i].to(type));
    to[i].copy_(from[i]);
  }
}

torch::Tensor drawn(torch::IntArrayRef shape, torch::ScalarType type) {
  return torch::randn(shape, torch::kFloat64).to(type).to(torch::kFloat64);
}

/// Largest difference, as a part of the largest expected value.
double share(const torch::Tensor& found, const torch::Tensor& expected) {
  const double largest = expected.abs().max().item<double>();
  return largest_difference(found.cpu().to(torch::kFloat64), expected) / std::max(largest, 1e-6);
}

/// The result and the gradients of its product with `weights`, of `inputs`.
Tensors with_gradients(const torch::Tensor& result, const torch::Tensor& weights,
                       const Tensors& inputs) {
  Tensors found = torch::autograd::grad({(result * weights).sum()}, inputs);
  found.insert(found.begin(), result.detach());
  return found;
}

void expect_near(const Tensors& found, const Tensors& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_LT(share(found[i], expected[i]), tolerance) << what << ", tensor " << i;
}

class FusedTest : public testing::TestWithParam<torch::ScalarType> {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
    torch::manual_seed(1);
  }

  static torch::ScalarType type() { return GetParam(); }
  static double tolerance() { return type() == torch::kBFloat16 ? 0.015 : 2e-5; }
  static torch::Tensor there(const torch::Tensor& tensor) {
    return tensor.detach().to(torch::Device(torch::kCUDA), type());
  }
};

INSTANTIATE_TEST_SUITE_P(Types, FusedTest, testing::Values(torch::kFloat32, torch::kBFloat16),
                         [](const auto& type) { return std::string(toString(type.param)); });

/// Of places alone.  // [places, inputs] → [places, outputs]
torch::Tensor gelu_pair(torch::nn::Linear& widen, torch::nn::Linear& narrow,
                        const torch::Tensor& x) {
  return apply_gelu_pair(widen, narrow, x.unsqueeze(0), /*fused=*/true).squeeze(0);
}

TEST_P(FusedTest, LinearIsTheProductWithItsBias) {
  for (const ProductShape& shape : kProductShapes) {
    auto here = drawn_linear(shape.inputs, shape.outputs);
    torch::nn::Linear gpu(shape.inputs, shape.outputs);
    share_weights(*here, *gpu, type());
    const auto x = drawn({1, shape.places, shape.inputs}, type()).requires_grad_();
    const auto weights = drawn({1, shape.places, shape.outputs}, type());
    const auto x_there = there(x).requires_grad_();
    ASSERT_TRUE(linear_fits(gpu, x_there.view({shape.places, shape.inputs})));
    const auto expected =
        with_gradients(apply_linear(here, x), weights, {x, here->weight, here->bias});
    const auto found = with_gradients(apply_linear(gpu, x_there, true), there(weights),
                                      {x_there, gpu->weight, gpu->bias});
    expect_near(found, expected, tolerance(), words(shape));
  }
}

TEST_P(FusedTest, LinearTakesAGradientThatIsNotContiguous) {
  auto here = drawn_linear(16, 24);
  torch::nn::Linear gpu(16, 24);
  share_weights(*here, *gpu, type());
  const auto x = drawn({2, 5, 16}, type());
  const auto expected = torch::autograd::grad({apply_linear(here, x).sum()}, {here->weight});
  const auto found =
      torch::autograd::grad({apply_linear(gpu, there(x), true).sum()}, {gpu->weight});
  EXPECT_LT(share(found[0], expected[0]), tolerance());
}

TEST_P(FusedTest, GeluPairIsItsThreeSteps) {
  for (const ProductShape& shape : kProductShapes) {
    auto widen = drawn_linear(shape.inputs, shape.inner);
    auto narrow = drawn_linear(shape.inner, shape.outputs);
    torch::nn::Linear gpu_widen(shape.inputs, shape.inner);
    torch::nn::Linear gpu_narrow(shape.inner, shape.outputs);
    share_weights(*widen, *gpu_widen, type());
    share_weights(*narrow, *gpu_narrow, type());
    const auto x = (3 * drawn({shape.places, shape.inputs}, type())).requires_grad_();
    const auto weights = drawn({shape.places, shape.outputs}, type());
    const auto x_there = there(x).requires_grad_();
    ASSERT_TRUE(gelu_pair_fits(x_there, gpu_widen, gpu_narrow));
    const auto expected =
        with_gradients(narrow->forward(torch::gelu(widen->forward(x), "tanh")), weights,
                       {x, widen->weight, widen->bias, narrow->weight, narrow->bias});
    const auto found = with_gradients(
        gelu_pair(gpu_widen, gpu_narrow, x_there), there(weights),
        {x_there, gpu_widen->weight, gpu_widen->bias, gpu_narrow->weight, gpu_narrow->bias});
    expect_near(found, expected, tolerance(), words(shape));
  }
}

TEST_P(FusedTest, ProductsAreTheSameEveryTime) {
  torch::nn::Linear widen(256, 1024);
  torch::nn::Linear narrow(1024, 256);
  widen->to(torch::Device(torch::kCUDA), type());
  narrow->to(torch::Device(torch::kCUDA), type());
  const auto x = there(drawn({3000, 256}, type()));
  const auto weights = there(drawn({3000, 256}, type()));
  const auto once = [&] {
    return with_gradients(gelu_pair(widen, narrow, x), weights,
                          {widen->weight, widen->bias, narrow->weight, narrow->bias});
  };
  const Tensors first = once();
  const Tensors second = once();
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_TRUE(torch::equal(first[i], second[i])) << i;
}

TEST_P(FusedTest, RotateIsThePlainTurn) {
  for (const int64_t head_size : {16, 48, 64, 128}) {
    for (const int64_t time : {1, 7, 130}) {
      const torch::TensorOptions options = torch::TensorOptions(torch::kCUDA).dtype(type());
      const auto table = rotary_table(time, head_size, options);
      const RotaryTable exact = {.cosine = table.cosine.cpu().to(torch::kFloat64),
                                 .sine = table.sine.cpu().to(torch::kFloat64)};
      const auto qkv = drawn({3, time, 3, 2, head_size}, type()).requires_grad_();
      const auto weights = drawn(qkv.sizes(), type());
      const auto qkv_there = there(qkv).requires_grad_();
      ASSERT_TRUE(rotary_fits(qkv_there, table));
      expect_near(with_gradients(rotate(qkv_there, table, true), there(weights), {qkv_there}),
                  with_gradients(rotate(qkv, exact), weights, {qkv}), tolerance(),
                  std::to_string(head_size) + " channels, " + std::to_string(time) + " places");
    }
  }
}

struct AttentionCase {
  int64_t time;
  int64_t heads;
  int64_t head_size;
  AttentionOptions options;
};

std::vector<AttentionCase> attention_cases() {
  std::vector<AttentionCase> cases;
  for (const AttentionOptions& options :
       {AttentionOptions{}, AttentionOptions{.rotary = false}, AttentionOptions{.masked = false},
        AttentionOptions{.rotary = false, .masked = false}}) {
    cases.push_back({.time = 64, .heads = 2, .head_size = 64, .options = options});
    cases.push_back({.time = 131, .heads = 3, .head_size = 32, .options = options});
  }
  cases.push_back({.time = 2, .heads = 1, .head_size = 16, .options = {}});
  cases.push_back({.time = 1, .heads = 2, .head_size = 64, .options = {}});
  cases.push_back({.time = 40, .heads = 2, .head_size = 128, .options = {}});
  cases.push_back({.time = 40, .heads = 2, .head_size = 8, .options = {}});
  cases.push_back({.time = 801, .heads = 4, .head_size = 64, .options = {}});
  return cases;
}

/// Zero at padding: what attention makes of padding is nobody's concern.
torch::Tensor kept(const torch::Tensor& weights, const Sequence& sequence) {
  return weights * sequence.keep;
}

TEST_P(FusedTest, AttentionIsThePlainOne) {
  for (const AttentionCase& one : attention_cases()) {
    const int64_t hidden = one.heads * one.head_size;
    Attention here(hidden, one.heads, one.options);
    here->to(torch::kFloat64);
    Attention gpu(hidden, one.heads, one.options);
    share_weights(*here, *gpu, type());
    const auto lengths =
        ints({static_cast<int32_t>(one.time), 1, 0, static_cast<int32_t>((one.time + 1) / 2)});
    const auto exact = torch::TensorOptions(torch::kFloat64);
    const Sequence plain = make_sequence(lengths, one.time, one.head_size, exact, nullptr);
    Sequence fused = make_sequence(lengths.to(torch::kCUDA), one.time, one.head_size,
                                   torch::TensorOptions(torch::kCUDA).dtype(type()), nullptr);
    fused.fused = true;
    const auto x = drawn({4, one.time, hidden}, type()).requires_grad_();
    const auto weights = kept(drawn(x.sizes(), type()), plain);
    const auto x_there = there(x).requires_grad_();
    Tensors inputs = here->parameters();
    Tensors inputs_there = gpu->parameters();
    inputs.push_back(x);
    inputs_there.push_back(x_there);
    const auto result = here->forward(x, plain);
    const auto result_there = gpu->forward(x_there, fused);
    Tensors expected = with_gradients(result, weights, inputs);
    Tensors found = with_gradients(result_there, there(weights), inputs_there);
    expected[0] = kept(expected[0], plain);
    found[0] = kept(found[0], fused);
    expect_near(found, expected, 2 * tolerance(),
                std::to_string(one.time) + " places, " + std::to_string(one.heads) + " heads of " +
                    std::to_string(one.head_size));
  }
}

TEST(ProductFits, WholeVectorsOfContiguousFloats) {
  const torch::nn::Linear linear(16, 24);
  EXPECT_TRUE(linear_fits(linear, torch::zeros({3, 16})));
  EXPECT_FALSE(linear_fits(linear, torch::zeros({0, 16})));
  EXPECT_FALSE(linear_fits(linear, torch::zeros({3, 16}, torch::kFloat64)));
  EXPECT_FALSE(linear_fits(linear, torch::zeros({3, 16}, torch::kBFloat16)));
  EXPECT_FALSE(linear_fits(linear, torch::zeros({16, 3}).t()));
  EXPECT_FALSE(linear_fits(torch::nn::Linear(12, 24), torch::zeros({3, 12})));
  EXPECT_FALSE(linear_fits(torch::nn::Linear(16, 1), torch::zeros({3, 16})));
  const torch::nn::Linear bare(torch::nn::LinearOptions(16, 24).bias(false));
  EXPECT_FALSE(linear_fits(bare, torch::zeros({3, 16})));
}

TEST(ProductFits, APairWhereBothDo) {
  const torch::nn::Linear widen(16, 24);
  EXPECT_TRUE(gelu_pair_fits(torch::zeros({3, 16}), widen, torch::nn::Linear(24, 8)));
  EXPECT_FALSE(gelu_pair_fits(torch::zeros({3, 16}), widen, torch::nn::Linear(24, 9)));
  EXPECT_FALSE(gelu_pair_fits(torch::zeros({3, 16}), torch::nn::Linear(16, 20), widen));
}

TEST(ProductFits, WhatDoesNotFitIsComputedPlainly) {
  torch::manual_seed(1);
  torch::nn::Linear linear(12, 5);
  const auto x = torch::randn({2, 3, 12});
  EXPECT_TRUE(torch::equal(apply_linear(linear, x, true), apply_linear(linear, x)));
}

/// In double, of one row of three real places and two of padding.
torch::Tensor attended(const AttentionOptions& options, const torch::Tensor& x) {
  torch::manual_seed(1);
  Attention attention(8, 2, options);
  attention->to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  const Sequence sequence =
      make_sequence(ints({3}), 5, 4, torch::TensorOptions(torch::kFloat64), nullptr);
  return attention->forward(x, sequence);
}

TEST(AttentionOptions, WithoutTurnsPlacesAreAlike) {
  const auto x = torch::randn({1, 5, 8}, torch::kFloat64);
  const auto order = torch::tensor({2, 0, 1, 3, 4});
  const auto difference = [&](const AttentionOptions& options) {
    return largest_difference(attended(options, x.index_select(1, order)),
                              attended(options, x).index_select(1, order));
  };
  EXPECT_LT(difference({.rotary = false}), 1e-12);
  EXPECT_GT(difference({}), 1e-6);
}

TEST(AttentionOptions, WithoutAMaskEveryKeyIsSeen) {
  const auto x = torch::randn({1, 5, 8}, torch::kFloat64);
  auto other = x.clone();
  other[0][4] += 1;
  const auto effect = [&](const AttentionOptions& options) {
    return largest_difference(attended(options, x)[0][0], attended(options, other)[0][0]);
  };
  EXPECT_EQ(effect({}), 0);
  EXPECT_GT(effect({.masked = false}), 1e-6);
}

}  // namespace
}  // namespace seda::model
