// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/voice_model.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::drawn_batch;
using testing_support::noise_of;
using testing_support::shake;
using testing_support::small_model;
using testing_support::small_options;

/// What the weight called `name` is trained by: durations are learned on states that they do not
/// change.
torch::Tensor loss_of(VoiceModel& model, const ModelBatch& batch, const std::string& name) {
  const ModelLosses losses = model->losses(batch, noise_of(3));
  const bool predictor = name.starts_with("duration_predictor");
  return predictor ? losses.duration : losses.prior + losses.flow;
}

double central_difference(VoiceModel& model, const ModelBatch& batch, const std::string& name,
                          torch::Tensor element) {
  constexpr double kStep = 1e-5;
  const torch::NoGradGuard no_grad;
  element.add_(kStep);
  const double above = loss_of(model, batch, name).item<double>();
  element.sub_(2 * kStep);
  const double below = loss_of(model, batch, name).item<double>();
  element.add_(kStep);
  return (above - below) / (2 * kStep);
}

TEST(VoiceModelGradient, EqualsCentralDifferencesInEveryTensor) {
  ModelOptions options = small_options();
  options.dropout = 0.2;
  VoiceModel model = small_model(options);
  shake(model);
  model->to(torch::kFloat64);
  // As many frames as tokens: the only alignment there is.
  const ModelBatch batch = drawn_batch(options, {5, 7, 6, 4}, {5, 7, 6, 4}, 2);
  for (const auto& weight : model->named_parameters()) {
    model->zero_grad();
    loss_of(model, batch, weight.key()).backward();
    const auto gradient = weight.value().grad().flatten();
    const int64_t place = gradient.abs().argmax().item<int64_t>();
    const double found = gradient[place].item<double>();
    const double expected =
        central_difference(model, batch, weight.key(), weight.value().detach().view({-1})[place]);
    EXPECT_NEAR(found, expected, 1e-5 * std::max(1.0, std::abs(expected))) << weight.key();
    EXPECT_NE(found, 0) << weight.key();
  }
}

/// Steps against the gradient with the same length in each weight.
void update(VoiceModel& model, const ModelBatch& batch, int64_t number) {
  model->zero_grad();
  model->losses(batch, noise_of(number)).total.backward();
  const torch::NoGradGuard no_grad;
  for (auto& weight : model->parameters()) {
    if (weight.grad().defined()) weight.sub_(0.01 * weight.grad().sign());
  }
}

TEST(VoiceModelGradient, ReachesEveryWeightOfANewModelAfterTwoUpdates) {
  VoiceModel model = small_model();
  const ModelBatch batch =
      drawn_batch(small_options(), {5, 7, 6, 4, 8, 5, 6, 3}, {15, 17, 9, 14, 20, 12, 10, 8});
  update(model, batch, 0);
  update(model, batch, 1);
  update(model, batch, 2);
  std::set<std::string> unreached;
  for (const auto& weight : model->named_parameters()) {
    const auto& gradient = weight.value().grad();
    if (!gradient.defined() || gradient.abs().max().item<double>() == 0)
      unreached.insert(weight.key());
  }
  EXPECT_EQ(unreached, std::set<std::string>());
}

TEST(VoiceModelGradient, OfAlignmentsAndPaddingIsNone) {
  VoiceModel model = small_model();
  shake(model);
  ModelBatch batch = drawn_batch(small_options(), {5, 7}, {15, 17}, 3);
  batch.mel.requires_grad_();
  model->losses(batch, noise_of(1)).total.backward();
  EXPECT_TRUE(batch.mel.grad().isfinite().all().item<bool>());
  EXPECT_EQ(batch.mel.grad()[0].slice(1, 15).abs().sum().item<double>(), 0);
  EXPECT_GT(batch.mel.grad()[0].slice(1, 0, 15).abs().sum().item<double>(), 0);
}

}  // namespace
}  // namespace seda::model
