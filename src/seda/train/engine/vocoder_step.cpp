// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/vocoder_step.h"

namespace seda::train {
namespace {

// As Vocos weighs them.
constexpr double kMelWeight = 45;
constexpr double kSpectrumWeight = 0.1;

torch::TensorOptions beside(const torch::Tensor& tensor, torch::ScalarType type) {
  return torch::TensorOptions().dtype(type).device(tensor.device());
}

float at(const float* row, VocoderColumn column) {
  return row[static_cast<int64_t>(column)];
}

}  // namespace

VocoderLosses vocoder_losses_of(const float* row) {
  return {.total = at(row, VocoderColumn::total),
          .mel = at(row, VocoderColumn::mel),
          .fooling = at(row, VocoderColumn::fooling),
          .features = at(row, VocoderColumn::features),
          .judging = at(row, VocoderColumn::judging),
          .gradient_norm = at(row, VocoderColumn::gradient_norm),
          .judge_gradient_norm = at(row, VocoderColumn::judge_gradient_norm),
          .finite = at(row, VocoderColumn::latched) == 0};
}

VocoderStep::VocoderStep(Learning<model::Vocos>& generator, Learning<model::Discriminators>& judges,
                         const CropSource& crops, const model::MelTorch& heard,
                         const VocoderEngineOptions& options)
    : generator_(generator),
      judges_(judges),
      crops_(crops),
      heard_(heard),
      rows_(options.rows),
      key_(torch::zeros({}, beside(generator.optimizer.latch(), torch::kInt64))),
      noise_(options.seed, key_),
      row_(torch::zeros({kVocoderColumns}, beside(generator.optimizer.latch(), torch::kFloat32))) {}

void VocoderStep::prepare(uint64_t update, double lr) {
  key_.fill_(static_cast<int64_t>(update));
  generator_.optimizer.set_lr(lr);
  judges_.optimizer.set_lr(lr);
}

template <typename Network>
torch::Tensor VocoderStep::learn(Learning<Network>& learning, const torch::Tensor& loss) {
  const auto gradients =
      torch::autograd::grad({loss}, learning.parameters.parameters(), /*grad_outputs=*/{},
                            /*retain_graph=*/false, /*create_graph=*/false, /*allow_unused=*/true);
  const torch::NoGradGuard no_grad;
  learning.parameters.write_gradients(gradients);
  learning.optimizer.watch(loss);
  return learning.optimizer.update();
}

VocoderStep::Update VocoderStep::teach_judges(const Crops& crops, const torch::Tensor& made) {
  const auto all = judges_.network->forward(torch::cat({crops.sounds, made.detach()}));
  const auto loss =
      model::judging_loss(all.periods) + kSpectrumWeight * model::judging_loss(all.spectra);
  return {.loss = loss.detach(), .gradient_norm = learn(judges_, loss)};
}

VocoderStep::Terms VocoderStep::terms_of(const Crops& crops, const torch::Tensor& made,
                                         bool judged) {
  // Both are heard as clips of their own: what lies around a piece is known of one of them only.
  torch::Tensor wanted;
  {
    const torch::NoGradGuard no_grad;
    wanted = heard_.apply(crops.sounds);
  }
  Terms terms;
  terms.mel = (heard_.apply(made) - wanted).abs().mean();
  terms.total = kMelWeight * terms.mel;
  if (!judged) {
    terms.fooling = terms.features = torch::zeros_like(terms.mel);
    return terms;
  }
  model::DiscriminatorsImpl::All real;
  {
    const torch::NoGradGuard no_grad;
    real = judges_.network->forward(crops.sounds);
  }
  const auto seen = judges_.network->forward(made);
  terms.fooling =
      model::fooling_loss(seen.periods) + kSpectrumWeight * model::fooling_loss(seen.spectra);
  terms.features = model::feature_distance(real.periods, seen.periods) +
                   kSpectrumWeight * model::feature_distance(real.spectra, seen.spectra);
  terms.total = terms.total + terms.fooling + terms.features;
  return terms;
}

void VocoderStep::run(bool judged) {
  Crops crops;
  {
    const torch::NoGradGuard no_grad;
    crops = crops_.draw(rows_, noise_);
  }
  const auto made = generator_.network->forward(crops.mels);
  const auto zero = torch::zeros_like(generator_.optimizer.latch());
  Update judging{.loss = zero, .gradient_norm = zero};
  if (judged) judging = teach_judges(crops, made);
  const Terms terms = terms_of(crops, made, judged);
  const torch::Tensor norm = learn(generator_, terms.total);

  const torch::NoGradGuard no_grad;
  const auto latched = torch::maximum(generator_.optimizer.latch(), judges_.optimizer.latch());
  row_.copy_(torch::stack({terms.total, terms.mel, terms.fooling, terms.features, judging.loss,
                           norm, judging.gradient_norm, latched}));
}

void VocoderStep::rehearse(bool judged) {
  const torch::Tensor of_generator = generator_.optimizer.latch().clone();
  const torch::Tensor of_judges = judges_.optimizer.latch().clone();
  generator_.optimizer.latch().fill_(1);
  judges_.optimizer.latch().fill_(1);
  run(judged);
  generator_.optimizer.latch().copy_(of_generator);
  judges_.optimizer.latch().copy_(of_judges);
}

}  // namespace seda::train
