// SPDX-License-Identifier: Apache-2.0
#include "seda/model/discriminators.h"

#include <gtest/gtest.h>

namespace seda::model {
namespace {

DiscriminatorOptions small_judges() {
  return {.periods = {2, 3}, .period_channels = 1, .spectrum_sizes = {128}, .spectrum_channels = 2};
}

Judgement scored(const torch::Tensor& score) {
  return {.score = score, .features = {score}};
}

TEST(HingeLosses, HaveThisTable) {
  // Recordings 2 and 0.5, made ones -3 and 0.25: max(0, 1 - s) and max(0, 1 + s).
  const Judgements both = {scored(torch::tensor({2.0F, 0.5F, -3.0F, 0.25F}))};
  EXPECT_FLOAT_EQ(judging_loss(both).item<float>(), (0 + 0.5F) / 2 + (0 + 1.25F) / 2);
  const Judgements made = {scored(torch::tensor({-3.0F, 2.0F})), scored(torch::tensor({1.0F}))};
  EXPECT_FLOAT_EQ(fooling_loss(made).item<float>(), ((4.0F + 0) / 2 + 0) / 2);
}

TEST(FeatureDistance, AddsLayersAndGivesRecordingsNoGradient) {
  auto real = torch::tensor({1.0F, 2.0F}).requires_grad_();
  auto fake = torch::tensor({0.0F, 4.0F}).requires_grad_();
  const Judgements a = {{.score = real, .features = {real, real}}};
  const Judgements b = {{.score = fake, .features = {fake, 2 * fake}}};
  const auto distance = feature_distance(a, b);
  EXPECT_FLOAT_EQ(distance.item<float>(), (1 + 2) / 2.0F + (1 + 6) / 2.0F);
  distance.backward();
  EXPECT_FALSE(real.grad().defined());
  EXPECT_TRUE(fake.grad().defined());
}

TEST(Discriminators, JudgeEachSoundByItself) {
  torch::manual_seed(1);
  Discriminators judges(small_judges());
  const torch::NoGradGuard no_grad;
  const auto sounds = 0.1 * torch::randn({3, 601});
  const auto all = judges->forward(sounds);
  ASSERT_EQ(all.periods.size(), 2u);
  ASSERT_EQ(all.spectra.size(), 1u);
  EXPECT_EQ(all.periods[0].features.size(), 6u);
  EXPECT_EQ(all.spectra[0].features.size(), 26u) << "five layers of five bands, and the score";
  const auto one = judges->forward(sounds.narrow(0, 1, 1));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(torch::allclose(one.periods[i].score[0], all.periods[i].score[1], 1e-4, 1e-6));
  }
  EXPECT_TRUE(torch::allclose(one.spectra[0].score[0], all.spectra[0].score[1], 1e-4, 1e-6));
}

TEST(Discriminators, GradientsReachEveryWeightAndTheSound) {
  torch::manual_seed(2);
  Discriminators judges(small_judges());
  auto sounds = (0.1 * torch::randn({2, 500})).requires_grad_();
  const auto all = judges->forward(sounds);
  (fooling_loss(all.periods) + fooling_loss(all.spectra)).backward();
  for (const auto& parameter : judges->named_parameters()) {
    ASSERT_TRUE(parameter.value().grad().defined()) << parameter.key();
    EXPECT_GT(parameter.value().grad().abs().sum().item<float>(), 0) << parameter.key();
  }
  EXPECT_GT(sounds.grad().abs().sum().item<float>(), 0);
}

TEST(Discriminators, LearnToTellNoiseFromTones) {
  torch::set_num_threads(1);
  torch::manual_seed(3);
  Discriminators judges(small_judges());
  torch::optim::AdamW optimizer(judges->parameters(), torch::optim::AdamWOptions(5e-3));
  const auto tones = 0.3 * torch::sin(torch::arange(512) * 0.2).expand({4, 512});
  const auto sounds = torch::cat({tones, 0.3 * torch::randn({4, 512})});
  const auto loss_of = [&] {
    const auto all = judges->forward(sounds);
    return judging_loss(all.periods) + judging_loss(all.spectra);
  };
  const float before = loss_of().item<float>();
  for (int i = 0; i < 40; ++i) {
    optimizer.zero_grad();
    loss_of().backward();
    optimizer.step();
  }
  EXPECT_LT(loss_of().item<float>(), 0.5F * before);
}

}  // namespace
}  // namespace seda::model
