// SPDX-License-Identifier: Apache-2.0
// Fused kernels of norms and neighbours: values and gradients are those of the plain path in
// double.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/norm.h"
#include "seda/model/residual.h"
#include "seda/model/time_conv.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;
using testing_support::largest_difference;
using testing_support::small_options;

constexpr int64_t kHeadSize = 4;

/// Where and how something is computed.
struct Way {
  torch::Device device = torch::kCPU;
  torch::ScalarType type = torch::kFloat64;
  bool fused = false;
};

/// Inputs that want gradients, as each way sees them.
using Tensors = std::vector<torch::Tensor>;
using Network = std::function<Tensors(const Tensors&, const Sequence&)>;

struct Shape {
  std::vector<int32_t> lengths;
  int64_t time = 0;
  int64_t channels = 0;

  int64_t batch() const { return static_cast<int64_t>(lengths.size()); }
};

std::string name_of(const Shape& shape, torch::ScalarType type) {
  return std::string(c10::toString(type)) + " " + std::to_string(shape.batch()) + " x " +
         std::to_string(shape.time) + " x " + std::to_string(shape.channels);
}

/// Numbers that every type holds, drawn.
torch::Tensor drawn(torch::IntArrayRef shape, double deviation = 1, double mean = 0) {
  return (torch::randn(shape) * deviation + mean).to(torch::kBFloat16).to(torch::kFloat64);
}

/// Of what had an effect; zeros of the rest.
Tensors gradients_of(const Tensors& inputs) {
  Tensors gradients;
  gradients.reserve(inputs.size());
  for (const auto& input : inputs)
    gradients.push_back(input.grad().defined() ? input.grad() : torch::zeros_like(input));
  return gradients;
}

/// Outputs, then gradients of the inputs, all in double on the CPU.
Tensors computed(const Network& network, const Tensors& inputs, const Shape& shape,
                 const Way& way) {
  const auto options = torch::TensorOptions(way.type).device(way.device);
  const Noise noise(5, torch::tensor(7, torch::kInt64).to(way.device), 1, 2);
  auto sequence =
      make_sequence(ints(shape.lengths).to(way.device), shape.time, kHeadSize, options, &noise);
  sequence.fused = way.fused;
  Tensors given;
  given.reserve(inputs.size());
  for (const auto& input : inputs)
    given.push_back(input.to(options, false, true).requires_grad_());
  Tensors results = network(given, sequence);
  torch::manual_seed(11);
  auto loss = torch::zeros({}, options);
  for (const auto& output : results)
    loss = loss + (output * drawn(output.sizes()).to(options)).sum();
  loss.backward();
  const Tensors gradients = gradients_of(given);
  results.insert(results.end(), gradients.begin(), gradients.end());
  for (auto& result : results)
    result = result.detach().cpu().to(torch::kFloat64);
  return results;
}

double largest(const torch::Tensor& values) {
  return values.abs().max().item<double>();
}

class FusedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  }

  /// Shapes with rows of one warp and of several, shared warps, a single place, no place.
  static std::vector<Shape> shapes() {
    return {{{5, 3, 0}, 5, 8},       {{1}, 1, 256},        {{70, 64, 33, 1}, 70, 256},
            {{9, 9}, 9, 264},        {{40, 17}, 40, 512},  {{21, 30}, 33, 768},
            {{130, 99, 2}, 130, 96}, {{12, 11}, 12, 1024}, {{6, 7}, 7, 2048}};
  }

  static void expect_same(const Network& network, const Tensors& inputs, const Shape& shape) {
    const Tensors expected = computed(network, inputs, shape, {});
    for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
      const Tensors found =
          computed(network, inputs, shape, {.device = torch::kCUDA, .type = type, .fused = true});
      const double share = type == torch::kFloat32 ? 2e-5 : 3e-2;
      ASSERT_EQ(found.size(), expected.size());
      for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_LE(largest_difference(found[i], expected[i]), share * (1 + largest(expected[i])))
            << name_of(shape, type) << ", result " << i;
      }
    }
  }
};

constexpr DropoutOptions kDropping = {.rate = 0.25, .site = 3};

TEST_F(FusedTest, NormOfALayer) {
  for (const Shape& shape : shapes()) {
    torch::manual_seed(1);
    const int64_t n = shape.channels;
    const Tensors inputs = {drawn({shape.batch(), shape.time, n}, 1, 0.5), drawn({n}), drawn({n})};
    const Network network = [](const Tensors& given, const Sequence& sequence) -> Tensors {
      Residual stream(given[0], sequence);
      return {stream.norm({.factor = given[1], .shift = given[2]})};
    };
    expect_same(network, inputs, shape);
  }
}

TEST_F(FusedTest, NormOfASumOfADroppedBranch) {
  for (const double rate : {0.0, 0.25}) {
    for (const Shape& shape : shapes()) {
      torch::manual_seed(1);
      const int64_t n = shape.channels;
      const Tensors inputs = {drawn({shape.batch(), shape.time, n}),
                              drawn({shape.batch(), shape.time, n}), drawn({n}), drawn({n})};
      const Network network = [rate](const Tensors& given, const Sequence& sequence) -> Tensors {
        Residual stream(given[0], sequence);
        stream.add(given[1], {.rate = rate, .site = 3});
        const auto out = stream.norm({.factor = given[2], .shift = given[3]});
        return {out, stream.value()};
      };
      expect_same(network, inputs, shape);
    }
  }
}

/// Shift, factor and gate are parts of one longer row, as in a decoder.
TEST_F(FusedTest, NormOfThreeOfAGatedSumWithVectorsOfRows) {
  for (const double rate : {0.0, 0.25}) {
    for (const Shape& shape : shapes()) {
      torch::manual_seed(1);
      const int64_t n = shape.channels;
      const Tensors inputs = {drawn({shape.batch(), shape.time, n}),
                              drawn({shape.batch(), shape.time, n}),
                              drawn({shape.batch(), 3 * n}, 0.5)};
      const Network network = [rate](const Tensors& given, const Sequence& sequence) -> Tensors {
        const auto parts = given[2].unsqueeze(1).chunk(3, 2);
        Residual stream(given[0], sequence);
        stream.add(given[1], {.rate = rate, .site = 3}, parts[2]);
        const auto out = stream.norm_of_three(scale_of_rows(parts[1], parts[0]));
        return {out, stream.value()};
      };
      expect_same(network, inputs, shape);
    }
  }
}

TEST_F(FusedTest, NormOfALayerBehindAGate) {
  for (const Shape& shape : shapes()) {
    torch::manual_seed(1);
    const int64_t n = shape.channels;
    const Tensors inputs = {drawn({shape.batch(), shape.time, n}),
                            drawn({shape.batch(), shape.time, n}), drawn({shape.batch(), 1, n}),
                            drawn({n}), drawn({n})};
    const Network network = [](const Tensors& given, const Sequence& sequence) -> Tensors {
      Residual stream(given[0], sequence);
      stream.add(given[1], kDropping, given[2]);
      return {stream.norm_of_three({.factor = given[3], .shift = given[4]})};
    };
    expect_same(network, inputs, shape);
  }
}

TEST_F(FusedTest, ASumWhoseNormNobodyNeeds) {
  const Shape shape{{4, 6}, 6, 64};
  torch::manual_seed(1);
  const Tensors inputs = {drawn({2, 6, 64}), drawn({2, 6, 64}), drawn({64}), drawn({64})};
  const Network network = [](const Tensors& given, const Sequence& sequence) -> Tensors {
    Residual stream(given[0], sequence);
    stream.add(given[1], kDropping);
    stream.norm({.factor = given[2], .shift = given[3]});
    return {stream.value()};
  };
  expect_same(network, inputs, shape);
}

/// Values near 0 may fall to either side of it in bf16, so ReLU is looked at in fp32 alone.
TEST_F(FusedTest, NormAndRelu) {
  for (const Shape& shape : shapes()) {
    torch::manual_seed(1);
    const int64_t n = shape.channels;
    const Tensors inputs = {drawn({shape.batch(), shape.time, n}), drawn({n}), drawn({n})};
    const Network network = [](const Tensors& given, const Sequence& sequence) -> Tensors {
      return {norm_and_relu(given[0], {.factor = given[1], .shift = given[2]}, sequence)};
    };
    const Tensors expected = computed(network, inputs, shape, {});
    const Tensors found = computed(
        network, inputs, shape, {.device = torch::kCUDA, .type = torch::kFloat32, .fused = true});
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_LE(largest_difference(found[i], expected[i]), 5e-5 * (1 + largest(expected[i])));
  }
}

TEST_F(FusedTest, RealNeighbours) {
  for (const int64_t kernel : {1, 3, 5}) {
    for (const Shape& shape : shapes()) {
      torch::manual_seed(1);
      const Tensors inputs = {drawn({shape.batch(), shape.time, shape.channels})};
      const Network network = [kernel](const Tensors& given, const Sequence& sequence) -> Tensors {
        return {real_neighbours(given[0], kernel, sequence)};
      };
      expect_same(network, inputs, shape);
    }
  }
}

TEST_F(FusedTest, DrawsAgainWhatItDropped) {
  const auto ones = torch::ones({2, 5, 16}, torch::kCUDA);
  const Noise noise(5, torch::tensor(7, torch::kInt64).to(torch::kCUDA), 1, 2);
  auto sequence = make_sequence(ints({5, 3}).to(torch::kCUDA), 5, kHeadSize,
                                torch::TensorOptions(torch::kFloat32).device(torch::kCUDA), &noise);
  sequence.fused = true;
  auto branch = torch::ones_like(ones).requires_grad_();
  Residual stream(torch::zeros_like(ones), sequence);
  stream.add(branch, kDropping);
  stream.norm({.factor = ones[0][0], .shift = ones[0][0]});
  const auto expected = noise.keep(ones.sizes(), 0.75, 3);
  EXPECT_TRUE(torch::equal(stream.value(), expected));
  stream.value().sum().backward();
  EXPECT_TRUE(torch::equal(branch.grad(), expected));
}

TEST_F(FusedTest, GivesTheSameBitsEachTime) {
  const Shape shape{{70, 64, 33, 1}, 70, 256};
  torch::manual_seed(1);
  const Tensors inputs = {drawn({4, 70, 256}), drawn({4, 70, 256}), drawn({256}), drawn({256})};
  const Network network = [](const Tensors& given, const Sequence& sequence) -> Tensors {
    Residual stream(given[0], sequence);
    stream.add(given[1], kDropping);
    return {stream.norm_of_three({.factor = given[2], .shift = given[3]})};
  };
  const Way way{.device = torch::kCUDA, .type = torch::kBFloat16, .fused = true};
  const Tensors first = computed(network, inputs, shape, way);
  const Tensors second = computed(network, inputs, shape, way);
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_TRUE(torch::equal(first[i], second[i])) << "result " << i;
}

/// Losses and gradients of a model that takes its fused kernels and of one that does not, in fp32.
TEST_F(FusedTest, AWholeModelIsThatOfPlainKernels) {
  ModelOptions options = small_options();
  options.n_mels = 8;
  options.hidden_size = 64;
  options.feed_forward_size = 96;
  options.dropout = 0.1;
  const auto there = [](const torch::Tensor& values) { return values.to(torch::kCUDA); };
  // As many frames as tokens: one path alone.
  auto batch = testing_support::drawn_batch(options, {9, 12}, {9, 12}, 3);
  batch = {.mel = there(batch.mel),
           .tokens = there(batch.tokens),
           .mel_lengths = there(batch.mel_lengths),
           .token_lengths = there(batch.token_lengths),
           .speakers = there(batch.speakers),
           .languages = there(batch.languages)};
  const Noise noise(5, torch::tensor(7, torch::kInt64).to(torch::kCUDA));
  std::vector<Tensors> gradients;
  std::vector<double> losses;
  gradients.reserve(2);
  losses.reserve(2);
  for (const bool fused : {false, true}) {
    VoiceModel model = testing_support::small_model(options);
    testing_support::shake(model);
    model->to(torch::kCUDA);
    model->set_fused(fused);
    const auto found = model->losses(batch, noise);
    found.total.backward();
    losses.push_back(found.total.item<double>());
    gradients.push_back(gradients_of(model->parameters()));
  }
  EXPECT_NEAR(losses[1], losses[0], 1e-4 * losses[0]);
  for (size_t i = 0; i < gradients[0].size(); ++i) {
    EXPECT_LE(largest_difference(gradients[1][i], gradients[0][i]),
              1e-3 * (0.1 + largest(gradients[0][i])))
        << "parameter " << i;
  }
}

}  // namespace
}  // namespace seda::model
