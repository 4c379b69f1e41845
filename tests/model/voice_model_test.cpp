// SPDX-License-Identifier: Apache-2.0
#include "seda/model/voice_model.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/model/model_clips.h"
#include "tests/support/error_message.h"

namespace seda::model {
namespace {

using testing::HasSubstr;
using testing_support::alone;
using testing_support::drawn_batch;
using testing_support::ints;
using testing_support::noise_of;
using testing_support::shake;
using testing_support::small_model;
using testing_support::small_options;

int64_t weights_of(const VoiceModel& model) {
  int64_t count = 0;
  for (const auto& weight : model->parameters())
    count += weight.numel();
  return count;
}

VoiceModel shaken_model() {
  VoiceModel model = small_model();
  shake(model);
  return model;
}

double scalar(const torch::Tensor& value) {
  return value.item<double>();
}

class SizeTest : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(SizeTest, HasAboutAsManyWeightsAsItIsSaidToHave) {
  const auto [name, millions] = GetParam();
  ModelOptions options = model_size(name);
  options.symbols = 200;
  options.speakers = 4;
  options.languages = 2;
  EXPECT_EQ(options.hidden_size / options.heads, 64);
  EXPECT_NEAR(static_cast<double>(weights_of(VoiceModel(options))) / 1e6, millions,
              0.15 * millions);
}

INSTANTIATE_TEST_SUITE_P(VoiceModel, SizeTest,
                         testing::Values(std::pair("tiny", 4.0), std::pair("small", 15.0),
                                         std::pair("normal", 45.0), std::pair("big", 150.0)),
                         [](const auto& size) { return std::string(size.param.first); });

TEST(VoiceModel, RefusesHeadsThatDoNotDivide) {
  ModelOptions options = small_options();
  options.heads = 3;
  EXPECT_THAT(seda::testing_support::error_message([&] { VoiceModel model(options); }),
              HasSubstr("expected a divisor of model.hidden_size 16, found 3"));
}

TEST(VoiceModel, TotalIsTheSumOfItsParts) {
  VoiceModel model = shaken_model();
  const auto losses = model->losses(drawn_batch(small_options(), {4, 7}, {9, 12}), noise_of(3));
  EXPECT_NEAR(scalar(losses.total),
              scalar(losses.prior) + scalar(losses.duration) + scalar(losses.flow), 1e-5);
  EXPECT_EQ(losses.total.scalar_type(), torch::kFloat32);
}

TEST(VoiceModel, DurationsCoverEachClip) {
  VoiceModel model = shaken_model();
  const auto batch = drawn_batch(small_options(), {4, 7, 1}, {9, 12, 5}, 3);
  const auto durations = model->losses(batch, noise_of(0)).durations;
  EXPECT_EQ(durations.scalar_type(), torch::kInt32);
  EXPECT_TRUE(torch::equal(durations.sum(1).to(torch::kInt32), batch.mel_lengths));
  for (int64_t row = 0; row < 3; ++row) {
    const int64_t tokens = batch.token_lengths[row].item<int32_t>();
    EXPECT_GE(durations[row].narrow(0, 0, tokens).min().item<int32_t>(), 1);
    EXPECT_EQ(durations[row].slice(0, tokens).sum().item<int64_t>(), 0);
  }
}

TEST(VoiceModel, LossesOfABatchAreThoseOfItsClips) {
  // The first row alone: other rows draw other noise.
  VoiceModel model = shaken_model();
  model->eval();
  const auto batch = drawn_batch(small_options(), {5, 9}, {11, 30});
  auto only_first = batch;
  only_first.mel_lengths = ints({11, 0});
  only_first.token_lengths = ints({5, 0});
  const auto expected = model->losses(alone(batch, 0), noise_of(1));
  const auto found = model->losses(only_first, noise_of(1));
  EXPECT_NEAR(scalar(found.prior), scalar(expected.prior), 1e-4);
  EXPECT_NEAR(scalar(found.duration), scalar(expected.duration), 1e-4);
  EXPECT_NEAR(scalar(found.flow), scalar(expected.flow), 1e-4);
}

TEST(VoiceModel, WhatPaddingHoldsDoesNotMatter) {
  VoiceModel model = shaken_model();
  const auto batch = drawn_batch(small_options(), {5, 9}, {11, 30}, 4);
  auto garbage = batch;
  garbage.mel = batch.mel.clone();
  garbage.tokens = batch.tokens.clone();
  garbage.mel[0].slice(1, 11).fill_(std::numeric_limits<float>::quiet_NaN());
  garbage.mel[1].slice(1, 30).fill_(1e6F);
  garbage.tokens[0].slice(0, 5).fill_(1 << 30);
  garbage.tokens[1].slice(0, 9).fill_(-1);
  const auto expected = model->losses(batch, noise_of(1));
  const auto found = model->losses(garbage, noise_of(1));
  EXPECT_EQ(scalar(found.prior), scalar(expected.prior));
  EXPECT_EQ(scalar(found.duration), scalar(expected.duration));
  EXPECT_EQ(scalar(found.flow), scalar(expected.flow));
}

TEST(VoiceModel, ContentDoesMatter) {
  VoiceModel model = shaken_model();
  const auto batch = drawn_batch(small_options(), {5, 9}, {11, 30});
  auto other = batch;
  other.tokens = batch.tokens.clone();
  other.tokens[0][4] = (other.tokens[0][4] + 1).remainder(20);
  const auto expected = model->losses(batch, noise_of(1));
  const auto found = model->losses(other, noise_of(1));
  EXPECT_GT(std::abs(scalar(found.prior) - scalar(expected.prior)), 1e-6);
  EXPECT_GT(std::abs(scalar(found.flow) - scalar(expected.flow)), 1e-6);
}

TEST(VoiceModel, NoiseOfAnotherUpdateIsAnother) {
  VoiceModel model = shaken_model();
  const auto batch = drawn_batch(small_options(), {5}, {11});
  const double first = scalar(model->losses(batch, noise_of(1)).flow);
  EXPECT_EQ(scalar(model->losses(batch, noise_of(1)).flow), first);
  EXPECT_NE(scalar(model->losses(batch, noise_of(2)).flow), first);
}

TEST(VoiceModel, DropsOnlyInTraining) {
  ModelOptions options = small_options();
  VoiceModel plain = small_model(options);
  options.dropout = 0.5;
  VoiceModel dropping = small_model(options);
  shake(plain);
  shake(dropping);
  const auto batch = drawn_batch(options, {5}, {11});
  EXPECT_NE(scalar(dropping->losses(batch, noise_of(1)).flow),
            scalar(plain->losses(batch, noise_of(1)).flow));
  plain->eval();
  dropping->eval();
  EXPECT_EQ(scalar(dropping->losses(batch, noise_of(1)).flow),
            scalar(plain->losses(batch, noise_of(1)).flow));
}

TEST(VoiceModel, ComputesInBfloat16AlmostTheSame) {
  VoiceModel exact = shaken_model();
  VoiceModel coarse = shaken_model();
  coarse->to(torch::kBFloat16);
  // As many frames as tokens: one path alone.
  const auto batch = drawn_batch(small_options(), {9, 12}, {9, 12});
  const auto expected = exact->losses(batch, noise_of(1));
  const auto found = coarse->losses(batch, noise_of(1));
  EXPECT_EQ(found.total.scalar_type(), torch::kFloat32);
  EXPECT_NEAR(scalar(found.prior), scalar(expected.prior), 0.03 * scalar(expected.prior));
  EXPECT_NEAR(scalar(found.flow), scalar(expected.flow), 0.03 * scalar(expected.flow));
}

TEST(VoiceModel, OneRankOfTwoSeesTheRowsThatOneAloneWould) {
  VoiceModel model = shaken_model();
  const auto batch = drawn_batch(small_options(), {5, 5}, {11, 11});
  const auto update = torch::tensor(4, torch::kInt64);
  const double both = scalar(model->losses(batch, Noise(5, update)).flow);
  const double first = scalar(model->losses(alone(batch, 0), Noise(5, update, 0, 2)).flow);
  const double second = scalar(model->losses(alone(batch, 1), Noise(5, update, 1, 2)).flow);
  EXPECT_NEAR(both, (first + second) / 2, 1e-5);
}

TEST(VoiceModel, LossesAndBackwardAreDeterministicWhereThatIsAsked) {
  at::globalContext().setDeterministicAlgorithms(true, false);
  VoiceModel model = shaken_model();
  const auto batch = drawn_batch(small_options(), {5, 9}, {11, 30});
  EXPECT_NO_THROW(model->losses(batch, noise_of(1)).total.backward());
  at::globalContext().setDeterministicAlgorithms(false, false);
}

}  // namespace
}  // namespace seda::model
