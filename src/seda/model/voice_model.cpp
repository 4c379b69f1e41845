// SPDX-License-Identifier: Apache-2.0
#include "seda/model/voice_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "seda/model/alignment.h"
#include "seda/model/flow_matching.h"
#include "seda/model/masks.h"
#include "seda/model/reference.h"

namespace seda::model {
namespace {

constexpr double kReferenceShare = 0.5;
constexpr double kDropConditionShare = 0.1;

/// ½ (mel - mean)² + ½ log 2π, the mean over real frames and mels.
torch::Tensor prior_loss(const torch::Tensor& mel, const torch::Tensor& mean,
                         const torch::Tensor& real) {
  return 0.5 * real_mean((mel - mean).square(), real) + 0.5 * std::log(2 * std::numbers::pi);
}

/// Dropout sites, in a row.
struct Sites {
  explicit Sites(const ModelOptions& options)
      : decoder(2U * static_cast<uint32_t>(options.encoder_layers)),
        durations(decoder + 2U * static_cast<uint32_t>(options.decoder_layers)) {}

  uint32_t encoder = 0;
  uint32_t decoder;
  uint32_t durations;
};

void begin(PhaseListener* phases, Phase phase) {
  if (phases != nullptr) phases->begin(phase);
}

}  // namespace

VoiceModelImpl::VoiceModelImpl(const ModelOptions& options) : options_(options) {
  check(options);
  const Sites sites(options);
  speakers_ =
      register_module("speakers", torch::nn::Embedding(options.speakers, options.hidden_size));
  reference_encoder_ = register_module("reference_encoder", ReferenceEncoder(options));
  text_encoder_ = register_module("text_encoder", TextEncoder(options, sites.encoder));
  duration_predictor_ =
      register_module("duration_predictor", DurationPredictor(options, sites.durations));
  decoder_ = register_module("decoder", Decoder(options, sites.decoder));
}

torch::TensorOptions VoiceModelImpl::weights() const {
  return speakers_->weight.options().requires_grad(false);
}

bool VoiceModelImpl::takes_fused_kernels() const {
  const auto& weight = speakers_->weight;
  return fused_ && weight.is_cuda() && weight.scalar_type() != torch::kFloat64;
}

Sequence VoiceModelImpl::sequence_of(const torch::Tensor& lengths, int64_t time,
                                     const Noise* noise) const {
  Sequence sequence =
      make_sequence(lengths, time, options_.hidden_size / options_.heads, weights(), noise);
  sequence.fused = takes_fused_kernels();
  if (heed_) sequence.heed = &heed_;
  return sequence;
}

torch::Tensor VoiceModelImpl::normalised(const torch::Tensor& mel,
                                         const torch::Tensor& real) const {
  const auto type = exact_type(speakers_->weight.scalar_type());
  const auto frames = mel.transpose(1, 2).to(type);
  const auto values = (frames - options_.mel_mean) / options_.mel_deviation;
  return values.masked_fill(~real.unsqueeze(2), 0).contiguous();
}

torch::Tensor VoiceModelImpl::training_speaker(const ModelBatch& batch, const torch::Tensor& mel,
                                               const Noise& noise) {
  auto of_table = speakers_->forward(batch.speakers);
  if (!is_training()) return of_table;
  const Reference reference = draw_reference(mel, batch.mel_lengths, batch.speakers, noise);
  const auto of_mel =
      reference_encoder_->forward(reference.mel, reference.lengths, takes_fused_kernels());
  const auto chance = noise.uniform({mel.size(0), 1}, NoiseUse::use_reference);
  return torch::where(chance < kReferenceShare, of_mel, of_table);
}

torch::Tensor VoiceModelImpl::spoken_speaker(const SpeechBatch& batch) {
  auto of_table = speakers_->forward(batch.speakers);
  if (!batch.references.defined() || batch.references.size(2) == 0) return of_table;
  const auto real = length_mask(batch.reference_lengths, batch.references.size(2));
  const auto mel = normalised(batch.references, real);
  const auto of_mel =
      reference_encoder_->forward(mel, batch.reference_lengths, takes_fused_kernels());
  return torch::where(batch.reference_lengths.unsqueeze(1) > 0, of_mel, of_table);
}

torch::Tensor VoiceModelImpl::align(const ModelBatch& batch, const torch::Tensor& mean,
                                    const torch::Tensor& mel, const Noise& noise) {
  const torch::NoGradGuard no_grad;
  auto likelihood = log_likelihood(mean, mel);
  if (is_training()) {
    likelihood += diagonal_prior({.token_lengths = batch.token_lengths,
                                  .frame_lengths = batch.mel_lengths,
                                  .tokens = mean.size(1),
                                  .frames = mel.size(1),
                                  .update = noise.update()});
  }
  return aligner_.apply(likelihood, batch.token_lengths, batch.mel_lengths);
}

torch::Tensor VoiceModelImpl::flow_loss(const torch::Tensor& mel, const Condition& condition,
                                        const Sequence& speech, const Noise& noise,
                                        PhaseListener* phases) {
  const auto start = noise.normal(mel.sizes(), NoiseUse::start).to(mel.scalar_type());
  const auto time = flow_times(mel.size(0), noise).to(mel.scalar_type());
  const FlowSample sample = flow_sample(start, mel, time);
  Condition given = condition;
  if (is_training()) {
    const auto chance = noise.uniform({mel.size(0)}, NoiseUse::drop_condition);
    given = condition.kept(chance >= kDropConditionShare);
  }
  begin(phases, Phase::forward);
  const auto velocity = decoder_->forward(sample.mel, time, given, speech);
  begin(phases, Phase::loss);
  return real_mean((velocity - sample.velocity).square(), speech.real);
}

ModelLosses VoiceModelImpl::losses(const ModelBatch& batch, const Noise& noise,
                                   PhaseListener* phases) {
  begin(phases, Phase::forward);
  const Noise* dropping = is_training() ? &noise : nullptr;
  const Sequence text = sequence_of(batch.token_lengths, batch.tokens.size(1), dropping);
  const Sequence speech = sequence_of(batch.mel_lengths, batch.mel.size(2), dropping);
  const auto mel = normalised(batch.mel, speech.real);
  const auto speaker = training_speaker(batch, mel, noise);
  const TextStates states = text_encoder_->forward(
      {.tokens = batch.tokens, .languages = batch.languages, .speaker = speaker}, text);

  begin(phases, Phase::loss);
  ModelLosses losses;
  losses.durations = align(batch, states.mean, mel, noise);
  const auto path = alignment_path(losses.durations, mel.size(1));
  const Condition condition{.hidden = upsample(states.hidden, path),
                            .mean = upsample(states.mean, path),
                            .speaker = speaker};
  losses.prior = prior_loss(mel, condition.mean, speech.real);
  begin(phases, Phase::forward);
  const auto durations =
      duration_predictor_->forward(states.hidden.detach(), speaker.detach(), text);
  begin(phases, Phase::loss);
  losses.duration = duration_loss(durations, losses.durations, text.real);
  losses.flow = flow_loss(mel, condition, speech, noise, phases);
  losses.total = losses.prior + losses.duration + losses.flow;
  return losses;
}

torch::Tensor VoiceModelImpl::spoken_mel(const Condition& condition, const Sequence& speech,
                                         const SpeechOptions& options) {
  const auto batch = torch::zeros({}, weights().dtype(torch::kInt64));
  const Noise noise(options.seed, batch);
  const auto type = condition.mean.scalar_type();
  const auto start = noise.normal(condition.mean.sizes(), NoiseUse::start).to(type);
  const auto nothing = condition.kept(torch::zeros({start.size(0)}, weights()));
  const auto field = [&](const torch::Tensor& state, double time) {
    const auto times = torch::full({state.size(0)}, time, state.options());
    auto given = decoder_->forward(state, times, condition, speech);
    if (options.guidance == 0) return given;
    const auto free = decoder_->forward(state, times, nothing, speech);
    return given + (given - free) * options.guidance;
  };
  return solve_flow(start * options.temperature, field, options.solver, options.steps);
}

SpeechTensors VoiceModelImpl::speak(const SpeechBatch& batch, const SpeechOptions& options) {
  const Sequence text = sequence_of(batch.token_lengths, batch.tokens.size(1), nullptr);
  const auto speaker = spoken_speaker(batch);
  const TextStates states = text_encoder_->forward(
      {.tokens = batch.tokens, .languages = batch.languages, .speaker = speaker}, text);
  SpeechTensors spoken;
  spoken.durations = spoken_durations(duration_predictor_->forward(states.hidden, speaker, text),
                                      options.rate, text.real);
  spoken.lengths = spoken.durations.sum(1).to(torch::kInt32);
  const int64_t frames = std::max<int64_t>(1, spoken.lengths.max().item<int32_t>());

  const Sequence speech = sequence_of(spoken.lengths, frames, nullptr);
  const auto path = alignment_path(spoken.durations, frames);
  const Condition condition{.hidden = upsample(states.hidden, path),
                            .mean = upsample(states.mean, path),
                            .speaker = speaker};
  const auto mel = spoken_mel(condition, speech, options).to(torch::kFloat32);
  spoken.mel = (mel * options_.mel_deviation + options_.mel_mean).transpose(1, 2).contiguous();
  return spoken;
}

}  // namespace seda::model
