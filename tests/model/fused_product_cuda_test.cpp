// SPDX-License-Identifier: Apache-2.0
// Fused layers inside a CUDA graph, and whether cuBLASLt has what they ask for.
#include <vector>

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/attention.h"
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
TEST(LtProduct, HasEveryEpilogueInBf16) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  constexpr int64_t kPlaces = 1000;
  constexpr int64_t kInputs = 256;
  constexpr int64_t kOutputs = 512;
  const auto options = torch::TensorOptions(torch::kCUDA).dtype(torch::kBFloat16);
  const auto x = torch::randn({kPlaces, kInputs}, options);
  const auto y = torch::randn({kPlaces, kOutputs}, options);
  const auto weight = torch::randn({kOutputs, kInputs}, options);
  const auto of_inputs = torch::empty({kInputs}, options);
  const auto of_outputs = torch::zeros({kOutputs}, options);
  const std::vector<detail::LtProduct> products = {{.first = weight,
                                                    .first_turned = true,
                                                    .second = x,
                                                    .result = torch::empty_like(y),
                                                    .epilogue = detail::LtEpilogue::bias,
                                                    .bias = of_outputs,
                                                    .inner = {}},
                                                   {.first = weight,
                                                    .first_turned = true,
                                                    .second = x,
                                                    .result = torch::empty_like(y),
                                                    .epilogue = detail::LtEpilogue::gelu_bias,
                                                    .bias = of_outputs,
                                                    .inner = torch::empty_like(y)},
                                                   {.first = weight,
                                                    .second = y,
                                                    .result = torch::empty_like(x),
                                                    .epilogue = detail::LtEpilogue::gelu_gradient,
                                                    .bias = of_inputs,
                                                    .inner = x},
                                                   {.first = x,
                                                    .second = y,
                                                    .second_turned = true,
                                                    .result = torch::empty_like(weight),
                                                    .epilogue = detail::LtEpilogue::bias_gradient,
                                                    .bias = of_outputs,
                                                    .inner = {}}};
  for (const detail::LtProduct& product : products)
    EXPECT_TRUE(detail::run_lt_product(product)) << static_cast<int>(product.epilogue);
}

}  // namespace
}  // namespace seda::model
