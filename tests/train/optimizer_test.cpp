// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/optimizer.h"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

namespace seda::train {
namespace {

/// One weight of each kind: a matrix, a bias, a table.
struct SmallModuleImpl : torch::nn::Module {
  SmallModuleImpl() {
    torch::manual_seed(5);
    linear = register_module("linear", torch::nn::Linear(3, 2));
    table = register_module("table", torch::nn::Embedding(4, 3));
  }
  torch::nn::Linear linear = nullptr;
  torch::nn::Embedding table = nullptr;
};

/// What the optimizer should do to one weight, in double.
struct Reference {
  double weight = 0;
  double average = 0;
  double first = 0;
  double second = 0;

  void update(double gradient, int step, double decay, double lr, const OptimizerOptions& o) {
    weight *= 1 - lr * decay;
    first = o.beta1 * first + (1 - o.beta1) * gradient;
    second = o.beta2 * second + (1 - o.beta2) * gradient * gradient;
    const double mean = first / (1 - std::pow(o.beta1, step));
    const double size = std::sqrt(second / (1 - std::pow(o.beta2, step))) + o.epsilon;
    weight -= lr * mean / size;
    const double kept = std::min(o.average_decay, (1.0 + step - 1) / (10.0 + step - 1));
    average = kept * average + (1 - kept) * weight;
  }
};

double gradient_at(size_t weight, int64_t element, int step) {
  return std::sin(1.7 * static_cast<double>(weight) + 0.9 * static_cast<double>(element) + step);
}

/// Gradients of all weights for one step, in the type the model computes in.
std::vector<torch::Tensor> gradients(const FlatParameters& parameters, int step) {
  std::vector<torch::Tensor> all;
  for (size_t i = 0; i < parameters.parameters().size(); ++i) {
    auto gradient = torch::empty(parameters.layout().slots()[i].size);
    for (int64_t j = 0; j < gradient.numel(); ++j)
      gradient[j] = gradient_at(i, j, step);
    all.push_back(gradient.view(parameters.parameters()[i].sizes()).to(parameters.compute_type()));
  }
  return all;
}

class Training {
 public:
  explicit Training(const OptimizerOptions& options, bool fused = true,
                    torch::ScalarType type = torch::kFloat32)
      : options_(options),
        parameters(std::make_shared<SmallModuleImpl>(), torch::kCPU, type),
        optimizer(parameters, options, fused) {}

  /// One update of `accumulation` batches; the norm.
  double update(int step, double lr) {
    const torch::NoGradGuard no_grad;
    optimizer.set_lr(lr);
    for (int part = 0; part < options_.accumulation; ++part) {
      const auto all = gradients(parameters, step * options_.accumulation + part);
      options_.accumulation == 1 ? parameters.write_gradients(all) : parameters.add_gradients(all);
    }
    return optimizer.update().item<double>();
  }

  torch::Tensor weight(const torch::Tensor& flat, size_t i) const {
    return ParameterLayout::view(flat, parameters.layout().slots()[i]).flatten();
  }

 private:
  OptimizerOptions options_;

 public:
  FlatParameters parameters;
  Optimizer optimizer;
};

/// Runs both, compares every weight and average after the last step.
void expect_like_reference(const OptimizerOptions& options, bool fused) {
  Training training(options, fused);
  const auto slots = training.parameters.layout().slots();
  std::vector<std::vector<Reference>> references(slots.size());
  for (size_t i = 0; i < slots.size(); ++i) {
    for (int64_t j = 0; j < slots[i].size; ++j) {
      const double start =
          training.weight(training.parameters.state().weights, i)[j].item<double>();
      references[i].push_back({.weight = start, .average = start});
    }
  }
  for (int step = 1; step <= 5; ++step) {
    const double lr = 0.01 * step;
    const double found_norm = training.update(step, lr);
    std::vector<std::vector<double>> mean(slots.size());
    double squares = 0;
    for (size_t i = 0; i < slots.size(); ++i) {
      for (int64_t j = 0; j < slots[i].size; ++j) {
        double sum = 0;
        for (int part = 0; part < options.accumulation; ++part)
          sum += gradient_at(i, j, step * options.accumulation + part);
        mean[i].push_back(sum / options.accumulation);
        squares += mean[i].back() * mean[i].back();
      }
    }
    EXPECT_NEAR(found_norm, std::sqrt(squares), 1e-5);
    const double clip = options.clip_norm.value_or(1e30);
    const double coefficient = std::min(1.0, clip / std::sqrt(squares));
    for (size_t i = 0; i < slots.size(); ++i) {
      for (int64_t j = 0; j < slots[i].size; ++j) {
        references[i][static_cast<size_t>(j)].update(
            coefficient * mean[i][static_cast<size_t>(j)], step,
            slots[i].decays ? options.weight_decay : 0, lr, options);
      }
    }
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    for (int64_t j = 0; j < slots[i].size; ++j) {
      const Reference& reference = references[i][static_cast<size_t>(j)];
      EXPECT_NEAR(training.weight(training.parameters.state().weights, i)[j].item<double>(),
                  reference.weight, 2e-6)
          << slots[i].name << " " << j;
      EXPECT_NEAR(training.weight(training.parameters.state().average, i)[j].item<double>(),
                  reference.average, 2e-6)
          << slots[i].name << " " << j;
    }
  }
}

TEST(ParameterLayout, MatricesDecayAndTablesAndBiasesDoNot) {
  const SmallModuleImpl module;
  const ParameterLayout layout(module);
  ASSERT_EQ(layout.slots().size(), 3U);
  for (const ParameterSlot& slot : layout.slots())
    EXPECT_EQ(slot.decays, slot.name == "linear.weight") << slot.name;
  EXPECT_EQ(layout.slots()[0].name, "linear.weight");
  EXPECT_EQ(layout.decaying(), 64);
  EXPECT_EQ(layout.size(), 3 * 64);
  EXPECT_EQ(layout.weights(), 6 + 2 + 12);
}

TEST(Optimizer, IsAdamwWithClippingAndAverage) {
  expect_like_reference({.weight_decay = 0.1, .clip_norm = 0.7, .average_decay = 0.5}, true);
}

TEST(Optimizer, WithoutFusedKernelIsTheSame) {
  expect_like_reference({.weight_decay = 0.1, .clip_norm = 0.7, .average_decay = 0.5}, false);
}

TEST(Optimizer, WithoutLimitDoesNotClip) {
  expect_like_reference({.weight_decay = 0.1, .clip_norm = std::nullopt}, true);
}

TEST(Optimizer, AccumulatesToTheMeanOfTheBatches) {
  expect_like_reference({.clip_norm = 0.7, .accumulation = 3}, true);
}

TEST(Optimizer, LatchStopsEveryChangeForGood) {
  for (const bool fused : {true, false}) {
    Training training({}, fused);
    training.update(1, 0.01);
    const FlatState& state = training.parameters.state();
    const std::vector<torch::Tensor> before = {state.weights.clone(), state.exp_avg.clone(),
                                               state.exp_avg_sq.clone(), state.average.clone(),
                                               state.steps.clone()};
    {
      const torch::NoGradGuard no_grad;
      training.optimizer.watch(torch::full({}, std::nan("")));
    }
    training.update(2, 0.01);
    training.optimizer.watch(torch::zeros({}));
    training.update(3, 0.01);
    EXPECT_EQ(training.optimizer.latch().item<float>(), 1);
    const std::vector<torch::Tensor> after = {state.weights, state.exp_avg, state.exp_avg_sq,
                                              state.average, state.steps};
    for (size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(torch::equal(before[i], after[i])) << i << (fused ? " fused" : " plain");
  }
}

TEST(Optimizer, InfiniteGradientLatches) {
  Training training({});
  const torch::NoGradGuard no_grad;
  auto all = gradients(training.parameters, 1);
  all[1].fill_(std::numeric_limits<float>::infinity());
  const auto before = training.parameters.state().weights.clone();
  training.optimizer.set_lr(0.1);
  training.parameters.write_gradients(all);
  training.optimizer.update();
  EXPECT_EQ(training.optimizer.latch().item<float>(), 1);
  EXPECT_TRUE(torch::equal(before, training.parameters.state().weights));
}

TEST(FlatParameters, ModuleSeesUpdatesAndKeepsFp32BehindBf16) {
  Training training({}, true, torch::kBFloat16);
  const auto& parameter = training.parameters.parameters()[0];
  EXPECT_EQ(parameter.scalar_type(), torch::kBFloat16);
  // So small a step is lost in bf16 alone.
  for (int step = 1; step <= 4; ++step)
    training.update(1, 1e-5);
  const auto weight = training.weight(training.parameters.state().weights, 0);
  EXPECT_EQ(weight.scalar_type(), torch::kFloat32);
  EXPECT_TRUE(torch::equal(parameter.detach().flatten(), weight.to(torch::kBFloat16)));
  EXPECT_FALSE(torch::equal(weight, weight.to(torch::kBFloat16).to(torch::kFloat32)));
}

TEST(FlatParameters, GradientOfAnUnusedWeightIsZero) {
  Training training({});
  const torch::NoGradGuard no_grad;
  training.parameters.state().gradient.fill_(7);
  auto all = gradients(training.parameters, 1);
  all[2] = torch::Tensor();
  training.parameters.write_gradients(all);
  EXPECT_EQ(training.weight(training.parameters.state().gradient, 2).abs().max().item<float>(), 0);
}

TEST(FlatParameters, AverageIsInUseForAWhile) {
  for (const auto type : {torch::kFloat32, torch::kBFloat16}) {
    Training training({}, true, type);
    training.update(1, 0.1);
    const auto& parameter = training.parameters.parameters()[0];
    const void* place = parameter.data_ptr();
    const auto weights = parameter.detach().clone();
    {
      const AverageInUse average(training.parameters);
      const auto expected = training.weight(training.parameters.state().average, 0).to(type);
      EXPECT_TRUE(torch::equal(parameter.detach().flatten(), expected));
      EXPECT_FALSE(torch::equal(parameter.detach(), weights));
    }
    EXPECT_EQ(parameter.data_ptr(), place);
    EXPECT_TRUE(torch::equal(parameter.detach(), weights));
  }
}

}  // namespace
}  // namespace seda::train
