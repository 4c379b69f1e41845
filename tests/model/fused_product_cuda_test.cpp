// SPDX-License-Identifier: Apache-2.0
// Fused layers inside a CUDA graph, and whether cuBLASLt has what they ask for.
#include <array>
#include <vector>

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/attention.h"
#include "seda/model/detail/bias_gradient.h"
#include "seda/model/detail/lt_product_cuda.h"
#include "seda/model/linear.h"
#include "seda/model/sequence.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;

constexpr int64_t kHidden = 128;
constexpr int64_t kHeads = 2;
constexpr int64_t kTime = 75;

/// A layer of attention and one of products, and what they make of one input.
struct FusedLayers {
  explicit FusedLayers(torch::ScalarType type) {
    torch::manual_seed(1);
    const auto options = torch::TensorOptions(torch::kCUDA).dtype(type);
    for (torch::nn::Module* module :
         std::vector<torch::nn::Module*>{attention.get(), widen.get(), narrow.get()})
      module->to(torch::Device(torch::kCUDA), type);
    sequence =
        make_sequence(ints({75, 20}).to(torch::kCUDA), kTime, kHidden / kHeads, options, nullptr);
    sequence.fused = true;
    x = torch::randn({2, kTime, kHidden}, options);
  }

  std::vector<torch::Tensor> run() {
    const auto y = attention->forward(x, sequence);
    const auto z = apply_gelu_pair(widen, narrow, y, /*fused=*/true);
    std::vector<torch::Tensor> weights = attention->parameters();
    weights.insert(weights.end(), {widen->weight, widen->bias, narrow->weight, narrow->bias});
    auto results = torch::autograd::grad({z.to(torch::kFloat32).square().sum()}, weights);
    results.push_back(z.detach());
    return results;
  }

  Attention attention = Attention(kHidden, kHeads);
  torch::nn::Linear widen = torch::nn::Linear(kHidden, 4 * kHidden);
  torch::nn::Linear narrow = torch::nn::Linear(4 * kHidden, kHidden);
  Sequence sequence;
  torch::Tensor x;
};

double error_of(const torch::Tensor& found, const torch::Tensor& expected) {
  const auto exact = expected.to(torch::kFloat64);
  return ((found.to(torch::kFloat64) - exact).abs().max() / exact.abs().max()).item<double>();
}

TEST(FusedGraph, ReplaysWhatWasComputed) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    FusedLayers layers(type);
    const auto side = c10::cuda::getStreamFromPool();
    const c10::cuda::CUDAStreamGuard guard(side);
    layers.run();
    const std::vector<torch::Tensor> expected = layers.run();
    side.synchronize();
    at::cuda::CUDAGraph graph;
    graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    const std::vector<torch::Tensor> found = layers.run();
    graph.capture_end();
    for (int i = 0; i < 2; ++i) {
      for (const torch::Tensor& tensor : found)
        tensor.zero_();
      graph.replay();
      side.synchronize();
      for (size_t j = 0; j < found.size(); ++j)
        EXPECT_LT(error_of(found[j], expected[j]), 0.02) << toString(type) << ", tensor " << j;
    }
  }
}

/// Without it, layers would fall back to torch's operations and no other test would notice.
TEST(LtLinear, IsThereInBf16) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  constexpr int64_t kPlaces = 1000;
  constexpr int64_t kInputs = 256;
  constexpr int64_t kOutputs = 512;
  const auto options = torch::TensorOptions(torch::kCUDA).dtype(torch::kBFloat16);
  const auto result = torch::empty({kPlaces, kOutputs}, options);
  for (const auto& inner : {torch::Tensor(), torch::empty_like(result)}) {
    EXPECT_TRUE(detail::run_lt_linear({.x = torch::randn({kPlaces, kInputs}, options),
                                       .weight = torch::randn({kOutputs, kInputs}, options),
                                       .bias = torch::zeros({kOutputs}, options),
                                       .inner = inner,
                                       .result = result}))
        << "GELU: " << inner.defined();
  }
}

/// Places and columns, odd ones too.
const std::vector<std::array<int64_t, 2>> kGradientShapes = {
    {1, 8}, {3, 256}, {15, 264}, {16, 1024}, {130, 768}, {5000, 80}, {9001, 2048}};

double tolerance_of(torch::ScalarType type) {
  return type == torch::kBFloat16 ? 0.01 : 1e-5;
}

TEST(BiasGradient, IsTheSumOverPlaces) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    for (const auto& [places, columns] : kGradientShapes) {
      const auto gradient =
          torch::randn({places, columns}, torch::TensorOptions(torch::kCUDA).dtype(type));
      const auto before = gradient.clone();
      const auto found = detail::bias_gradient(gradient);
      EXPECT_LT(error_of(found, gradient.to(torch::kFloat64).sum(0)), tolerance_of(type))
          << toString(type) << ", " << places << " places of " << columns;
      EXPECT_TRUE(torch::equal(gradient, before));
    }
  }
}

TEST(BiasGradient, TurnsThatOfGeluIntoThatOfWhatItTook) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    for (const auto& [places, columns] : kGradientShapes) {
      SCOPED_TRACE(testing::Message()
                   << toString(type) << ", " << places << " places of " << columns);
      const auto options = torch::TensorOptions(torch::kCUDA).dtype(type);
      const auto inner = 3 * torch::randn({places, columns}, options);
      auto gradient = torch::randn({places, columns}, options);
      const auto expected =
          at::gelu_backward(gradient.to(torch::kFloat64), inner.to(torch::kFloat64), "tanh");
      const auto found = detail::gelu_bias_gradient(gradient, inner);
      EXPECT_LT(error_of(gradient, expected), tolerance_of(type));
      EXPECT_LT(error_of(found, expected.sum(0)), tolerance_of(type));
    }
  }
}

TEST(BiasGradient, FarFromZeroGeluIsALine) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  const auto options = torch::TensorOptions(torch::kCUDA);
  const auto inner =
      torch::tensor({-1e6, -1e4, -50.0, 50.0, 1e4, 1e6, 0.0, -0.0}, options.dtype(torch::kFloat32));
  auto gradient = torch::ones({1, 8}, options);
  detail::gelu_bias_gradient(gradient, inner.view({1, 8}));
  const auto expected =
      torch::tensor({0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.5, 0.5}, options.dtype(torch::kFloat32));
  EXPECT_TRUE(torch::allclose(gradient.view({8}), expected, 0, 1e-6)) << gradient;
}

}  // namespace
}  // namespace seda::model
