// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/model/voice_model.h"
#include "tests/model/model_clips.h"

namespace seda::model {
namespace {

using testing_support::ints;

constexpr int64_t kTokens = 12;
constexpr int64_t kFramesOfToken = 5;
constexpr int64_t kMels = 20;

/// A clip whose tokens sound different from each other, five frames each.
ModelBatch clip() {
  torch::manual_seed(11);
  const auto sounds = torch::randn({kTokens, kMels}) * 2;
  const auto frames = sounds.repeat_interleave(kFramesOfToken, 0);  // [frames, n_mels]
  ModelBatch batch;
  batch.mel = frames.t().unsqueeze(0).contiguous() - 5;
  batch.tokens = torch::arange(1, kTokens + 1, torch::kInt32).unsqueeze(0);
  batch.mel_lengths = ints({kTokens * kFramesOfToken});
  batch.token_lengths = ints({kTokens});
  batch.speakers = ints({0});
  batch.languages = ints({0});
  return batch;
}

/// The same clip `rows` times, so that one update sees many times and noises.
ModelBatch repeated(const ModelBatch& batch, int64_t rows) {
  const auto of = [&](const torch::Tensor& values) { return values.repeat_interleave(rows, 0); };
  return {.mel = of(batch.mel),
          .tokens = of(batch.tokens),
          .mel_lengths = of(batch.mel_lengths),
          .token_lengths = of(batch.token_lengths),
          .speakers = of(batch.speakers),
          .languages = of(batch.languages)};
}

ModelOptions clip_options() {
  ModelOptions options;
  options.symbols = kTokens + 1;
  options.n_mels = kMels;
  options.hidden_size = 64;
  options.feed_forward_size = 128;
  options.encoder_layers = 1;
  options.decoder_layers = 2;
  options.heads = 1;
  options.mel_mean = -5;
  options.mel_deviation = 2;
  return options;
}

TEST(VoiceModelOverfit, LearnsOneClipByHeartAndSaysIt) {
  torch::set_num_threads(1);
  torch::manual_seed(1);
  VoiceModel model(clip_options());
  const ModelBatch one = clip();
  const ModelBatch batch = repeated(one, 4);
  torch::optim::AdamW optimizer(model->parameters(), torch::optim::AdamWOptions(3e-3));
  const auto update = torch::zeros({}, torch::kInt64);
  const Noise noise(5, update);
  for (int i = 0; i < 600; ++i) {
    optimizer.zero_grad();
    model->losses(batch, noise).total.backward();
    torch::nn::utils::clip_grad_norm_(model->parameters(), 1.0);
    optimizer.step();
    update.add_(1);
  }
  const torch::NoGradGuard no_grad;
  model->eval();
  const ModelLosses losses = model->losses(batch, noise);
  EXPECT_LT(losses.flow.item<double>(), 0.1) << "2 at the start: both variances";
  EXPECT_LT(losses.duration.item<double>(), 0.01);
  EXPECT_TRUE((losses.durations == kFramesOfToken).all().item<bool>()) << losses.durations[0];

  const SpeechTensors said = model->speak(testing_support::speech_of(one), {.steps = 10});
  ASSERT_EQ(said.lengths.item<int32_t>(), kTokens * kFramesOfToken);
  EXPECT_LT((said.mel - one.mel).square().mean().item<double>(), 0.1 * 4) << "of a variance of 4";
}

}  // namespace
}  // namespace seda::model
