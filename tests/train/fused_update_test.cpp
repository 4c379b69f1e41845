// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/fused_update.h"

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/train/engine/optimizer.h"
#include "tests/train/batches.h"

namespace seda::train {
namespace {

constexpr int kUpdates = 10;

/// Skips where there is no GPU.
class FusedUpdate : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = testing_support::platform().cuda_absence();
    if (!why.empty()) GTEST_SKIP() << why;
    torch::manual_seed(7);
  }

  torch::NoGradGuard no_grad_;
};

double learning_rate(int step) {
  return 0.01 * step;
}

torch::Tensor drawn(int64_t size) {
  return torch::randn({size}).to(torch::kCUDA);
}

double largest_difference(const torch::Tensor& found, const torch::Tensor& expected) {
  return (found.cpu().to(torch::kFloat64) - expected.cpu().to(torch::kFloat64))
      .abs()
      .max()
      .item<double>();
}

std::vector<torch::Tensor> kept_of(const FlatState& state) {
  return {state.weights, state.exp_avg, state.exp_avg_sq, state.average, state.steps};
}

std::vector<torch::Tensor> copies(const std::vector<torch::Tensor>& tensors) {
  std::vector<torch::Tensor> all;
  all.reserve(tensors.size());
  for (const torch::Tensor& tensor : tensors)
    all.push_back(tensor.clone());
  return all;
}

/// Any moments and any average, as of a run that has gone on for a while: second moments are not so
/// near zero that an update is thousands of weights long.
FlatState drawn_state(int64_t size) {
  const auto weights = drawn(size);
  return {.weights = weights,
          .gradient = torch::zeros_like(weights),
          .exp_avg = 0.1 * drawn(size),
          .exp_avg_sq = (0.1 * drawn(size)).square() + 1e-4,
          .average = drawn(size),
          .steps = torch::zeros({}, weights.options())};
}

/// The update by its formulas, in double on the CPU.
struct Reference {
  explicit Reference(const FlatState& state)
      : weights(state.weights.cpu().to(torch::kFloat64)),
        first(state.exp_avg.cpu().to(torch::kFloat64)),
        second(state.exp_avg_sq.cpu().to(torch::kFloat64)),
        average(state.average.cpu().to(torch::kFloat64)) {}

  /// The norm.
  double update(const torch::Tensor& summed, int64_t decaying, int step,
                const OptimizerOptions& options) {
    auto gradient = summed.cpu().to(torch::kFloat64) / options.accumulation;
    const double norm = gradient.norm().item<double>();
    if (options.clip_norm) gradient = gradient / std::max(1.0, norm / *options.clip_norm);
    // As the device has it.
    const double lr = static_cast<float>(learning_rate(step));
    first = options.beta1 * first + (1 - options.beta1) * gradient;
    second = options.beta2 * second + (1 - options.beta2) * gradient.square();
    weights.narrow(0, 0, decaying).mul_(1 - lr * options.weight_decay);
    const auto mean = first / (1 - std::pow(options.beta1, step));
    const auto size = (second / (1 - std::pow(options.beta2, step))).sqrt() + options.epsilon;
    weights = weights - lr * mean / size;
    const double decay = std::min(options.average_decay, step / (step + 9.0));
    average = decay * average + (1 - decay) * weights;
    return norm;
  }

  torch::Tensor weights;
  torch::Tensor first;
  torch::Tensor second;
  torch::Tensor average;
};

FusedUpdateTensors tensors_of(const FlatState& state, torch::ScalarType compute, int64_t decaying) {
  return {.state = state,
          .compute = state.weights.to(compute),
          .decaying = decaying,
          .lr = torch::zeros_like(state.steps),
          .latch = torch::zeros_like(state.steps)};
}

void expect_like_reference(int64_t size, int64_t decaying, const OptimizerOptions& options) {
  const FlatState state = drawn_state(size);
  const FusedUpdateTensors tensors = tensors_of(state, torch::kBFloat16, decaying);
  Reference reference(state);
  for (int step = 1; step <= kUpdates; ++step) {
    state.gradient.copy_(drawn(size));
    tensors.lr.fill_(learning_rate(step));
    const double expected = reference.update(state.gradient, decaying, step, options);
    EXPECT_NEAR(fused_update(tensors, options).item<double>(), expected, 1e-5 * expected);
  }
  EXPECT_LT(largest_difference(state.weights, reference.weights), 1e-5);
  EXPECT_LT(largest_difference(state.exp_avg, reference.first), 1e-6);
  EXPECT_LT(largest_difference(state.exp_avg_sq, reference.second), 1e-6);
  EXPECT_LT(largest_difference(state.average, reference.average), 1e-5);
  EXPECT_TRUE(torch::equal(tensors.compute, state.weights.to(torch::kBFloat16)));
  EXPECT_EQ(state.steps.item<float>(), kUpdates);
}

TEST_F(FusedUpdate, TakesAnySizeAndAnyBorderOfTheGroups) {
  for (const int64_t size : {1, 3, 4, 5, 64, 1023, 1025, 300'001}) {
    for (const double share : {0.0, 0.37, 1.0}) {
      const auto decaying = static_cast<int64_t>(share * static_cast<double>(size));
      SCOPED_TRACE(testing::Message() << size << " weights, " << decaying << " decay");
      expect_like_reference(size, decaying, {.weight_decay = 0.1, .clip_norm = 0.5});
    }
  }
}

TEST_F(FusedUpdate, ClipsAndDividesAsAskedFor) {
  for (const std::optional<double> clip_norm : {std::optional<double>(), {0.5}, {1e6}}) {
    for (const int accumulation : {1, 3}) {
      SCOPED_TRACE(testing::Message() << clip_norm.value_or(0) << ", " << accumulation);
      expect_like_reference(
          777, 300, {.weight_decay = 0.1, .clip_norm = clip_norm, .accumulation = accumulation});
    }
  }
}

TEST_F(FusedUpdate, SumsTheSquaresOfManyWeights) {
  const int64_t size = 50'000'003;
  const FlatState state = drawn_state(size);
  state.gradient.uniform_(0.5, 1);  // all of one size: what fp32 alone loses most of
  const double expected = state.gradient.to(torch::kFloat64).norm().item<double>();
  const auto norm = fused_update(tensors_of(state, torch::kFloat32, size), {});
  EXPECT_NEAR(norm.item<double>(), expected, 1e-6 * expected);
}

TEST_F(FusedUpdate, IsTheSameBitForBitEachTime) {
  const int64_t size = 300'001;
  const FlatState state = drawn_state(size);
  state.gradient.copy_(drawn(size));
  std::vector<torch::Tensor> found;
  found.reserve(2);
  for (int run = 0; run < 2; ++run) {
    const auto kept = copies(kept_of(state));
    const FlatState copy{.weights = kept[0],
                         .gradient = state.gradient,
                         .exp_avg = kept[1],
                         .exp_avg_sq = kept[2],
                         .average = kept[3],
                         .steps = kept[4]};
    FusedUpdateTensors tensors = tensors_of(copy, torch::kFloat32, size / 2);
    tensors.lr.fill_(0.01);
    found.push_back(torch::cat({fused_update(tensors, {}).view({1}), copy.weights, copy.average}));
  }
  EXPECT_TRUE(torch::equal(found[0], found[1]));
}

/// Weights of every kind, on the GPU.
struct SmallModuleImpl : torch::nn::Module {
  SmallModuleImpl() {
    torch::manual_seed(5);
    linear = register_module("linear", torch::nn::Linear(37, 29));
    table = register_module("table", torch::nn::Embedding(4, 3));
  }
  torch::nn::Linear linear = nullptr;
  torch::nn::Embedding table = nullptr;
};

struct Training {
  Training(const OptimizerOptions& options, torch::ScalarType type, bool fused)
      : parameters(std::make_shared<SmallModuleImpl>(), torch::kCUDA, type),
        optimizer(parameters, options, fused) {}

  /// The norm.
  double update(const torch::Tensor& gradient, int step) {
    parameters.state().gradient.add_(gradient);
    optimizer.set_lr(learning_rate(step));
    return optimizer.update().item<double>();
  }

  FlatParameters parameters;
  Optimizer optimizer;
};

/// The gradient of one update after another, which whoever does not accumulate overwrites.
void expect_like_plain(const OptimizerOptions& options, torch::ScalarType type) {
  Training fused(options, type, true);
  Training plain(options, type, false);
  for (int step = 1; step <= kUpdates; ++step) {
    const auto gradient = drawn(fused.parameters.layout().size());
    for (Training* training : {&fused, &plain}) {
      const torch::Tensor& left = training->parameters.state().gradient;
      const float largest = left.abs().max().item<float>();
      EXPECT_TRUE(options.accumulation == 1 || largest == 0) << step << ": " << largest;
      left.zero_();
    }
    const double norm = plain.update(gradient, step);
    EXPECT_NEAR(fused.update(gradient, step), norm, 1e-5 * norm);
  }
  const auto found = kept_of(fused.parameters.state());
  const auto expected = kept_of(plain.parameters.state());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_LT(largest_difference(found[i], expected[i]), 5e-6) << i;
  EXPECT_TRUE(torch::equal(fused.parameters.compute(), fused.parameters.state().weights.to(type)));
}

TEST_F(FusedUpdate, IsTheOptimizersPlainUpdate) {
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    for (const int accumulation : {1, 3}) {
      for (const std::optional<double> clip_norm : {std::optional<double>(), {0.7}}) {
        SCOPED_TRACE(testing::Message() << c10::toString(type) << ", " << accumulation << ", "
                                        << clip_norm.value_or(0));
        expect_like_plain({.weight_decay = 0.1,
                           .clip_norm = clip_norm,
                           .accumulation = accumulation,
                           .average_decay = 0.4},
                          type);
      }
    }
  }
}

TEST_F(FusedUpdate, LatchStopsEveryChangeForGood) {
  Training training({.accumulation = 2}, torch::kBFloat16, true);
  const auto gradient = drawn(training.parameters.layout().size());
  training.update(gradient, 1);
  const FlatState& state = training.parameters.state();
  const auto before = copies(kept_of(state));
  const auto computed = training.parameters.compute().clone();
  training.optimizer.watch(torch::full({}, std::nan(""), torch::kCUDA));
  training.update(gradient, 2);
  training.optimizer.watch(torch::zeros({}, torch::kCUDA));
  training.update(gradient, 3);
  EXPECT_EQ(training.optimizer.latch().item<float>(), 1);
  const auto after = kept_of(state);
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_TRUE(torch::equal(before[i], after[i])) << i;
  EXPECT_TRUE(torch::equal(computed, training.parameters.compute()));
  EXPECT_EQ(state.gradient.abs().max().item<float>(), 0);
}

TEST_F(FusedUpdate, OneBadNumberInTheGradientLatches) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Training training({}, torch::kFloat32, true);
    const auto before = copies(kept_of(training.parameters.state()));
    auto gradient = drawn(training.parameters.layout().size());
    gradient[-1] = bad;
    EXPECT_FALSE(std::isfinite(training.update(gradient, 1)));
    EXPECT_EQ(training.optimizer.latch().item<float>(), 1);
    const auto after = kept_of(training.parameters.state());
    for (size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(torch::equal(before[i], after[i])) << bad << " " << i;
  }
}

}  // namespace
}  // namespace seda::train
