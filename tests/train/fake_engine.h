// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "seda/base/hash.h"
#include "seda/train/library.h"

namespace seda::train::testing_support {

/// How many copies of the state there are, and were at most.
struct LiveCopies {
  std::atomic<int> now{0};
  std::atomic<int> most{0};

  std::shared_ptr<uint64_t> make(uint64_t weight) {
    most = std::max(most.load(), ++now);  // copies are made by one thread
    return {new uint64_t(weight), [this](const uint64_t* copy) {
              delete copy;
              --now;
            }};
  }
};

/// What a fake engine does beside learning.
struct FakeBehaviour {
  std::function<void(uint64_t update)> before_step;
  std::function<bool(uint64_t update)> is_finite;
  float VocoderLosses::* spoilt = &VocoderLosses::total;  ///< What of a vocoder is not, then.
  std::function<void(const feed::Batch& batch, const StepOptions& options)> when_given{};
  std::function<void(const EngineOptions& options)> when_made{};
  std::function<float(const feed::Batch& batch)> evaluated{};  ///< The loss of an evaluation.
  std::function<void()> before_speech{};
  std::function<std::vector<double>(std::span<const double>)> largest;
  std::optional<BusyTime> busy{};  ///< Of kernels; absent, as on a CPU.
  std::shared_ptr<LiveCopies> copies = std::make_shared<LiveCopies>();
};

/// An engine whose one weight is a hash of everything it was ever given, in order: two runs agree
/// just where they saw the same batches with the same steps and rates.
class FakeEngine final : public Engine {
 public:
  FakeEngine(EngineOptions options, FakeBehaviour behaviour)
      : options_(std::move(options)), behaviour_(std::move(behaviour)) {}

  ModelFacts facts() const override { return {.parameters = 1}; }

  void step(const feed::Batch& batch, const StepOptions& options) override {
    if (behaviour_.before_step) behaviour_.before_step(options.update);
    if (options_.heed) options_.heed();
    if (behaviour_.when_given) behaviour_.when_given(batch, options);
    if (behaviour_.is_finite && !behaviour_.is_finite(options.update)) finite_ = false;
    if (finite_) weight_ = mix(batch, options);
    StepLosses losses;
    losses.total = static_cast<float>(weight_ % 100'000) * 1e-5F;
    losses.finite = finite_;
    losses_.push_back(losses);
  }

  void step_in_phases(const feed::Batch& batch, const StepOptions& options) override {
    step(batch, options);
    phases_.push_back({.device_s = {4e-3, 1e-3, 8e-3, 2e-3}, .host_s = {1e-3, 1e-3, 1e-3, 1e-3}});
  }
  std::vector<PhaseTimes> collect_phases() override { return std::exchange(phases_, {}); }

  std::optional<BusyTime> time_kernels(const std::function<void()>& work) override {
    work();
    return behaviour_.busy;
  }

  std::vector<StepLosses> collect(size_t pending) override {
    const size_t count = losses_.size() - std::min(pending, losses_.size());
    const auto end = losses_.begin() + static_cast<ptrdiff_t>(count);
    std::vector<StepLosses> out(losses_.begin(), end);
    losses_.erase(losses_.begin(), end);
    return out;
  }

  StepLosses evaluate(const feed::Batch& batch, uint64_t /*key*/) override {
    ++evaluated;
    StepLosses losses;
    losses.total = behaviour_.evaluated ? behaviour_.evaluated(batch)
                                        : 1 + static_cast<float>(batch.shape.batch) * 0.01F;
    return losses;
  }

  std::vector<AlignedClip> align(const feed::Batch& batch) override {
    std::vector<AlignedClip> out;
    for (int row = 0; row < batch.shape.batch; ++row) {
      AlignedClip clip;
      clip.frames = batch.arrays.mel_lengths[row];
      clip.durations.assign(static_cast<size_t>(batch.arrays.token_lengths[row]), 1);
      out.push_back(std::move(clip));
    }
    return out;
  }

  std::vector<model::SpokenMel> speak(std::span<const model::SpeechRequest> requests,
                                      const model::SpeechOptions& /*options*/) override {
    if (behaviour_.before_speech) behaviour_.before_speech();
    std::vector<model::SpokenMel> out;
    for (const auto& request : requests) {
      model::SpokenMel spoken;
      spoken.mel.n_mels = options_.model.n_mels;
      spoken.mel.frames = static_cast<int>(request.tokens.size());
      spoken.mel.values.assign(request.tokens.size() * static_cast<size_t>(options_.model.n_mels),
                               -5);
      out.push_back(std::move(spoken));
    }
    return out;
  }

  EngineState state() override {
    auto memory = behaviour_.copies->make(weight_);
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(memory.get()), 8);
    EngineState state;
    state.average = {{"weight", TensorType::u64, {1}, bytes}};
    state.training = {{"weights.weight", TensorType::u64, {1}, bytes}};
    state.memory = memory;
    return state;
  }

  void restore(const SafetensorsFile& training, const SafetensorsFile& /*average*/) override {
    const int64_t one = 1;
    std::memcpy(&weight_, training.get("weights.weight", TensorType::u64, {&one, 1}).bytes.data(),
                8);
  }

  std::vector<double> largest(std::span<const double> values) override {
    if (behaviour_.largest) return behaviour_.largest(values);
    return {values.begin(), values.end()};
  }
  uint64_t host_syncs() const override { return 0; }
  uint64_t memory_peak_bytes() const override { return 0; }
  size_t graphs() const override { return 0; }

  int evaluated = 0;

 private:
  uint64_t mix(const feed::Batch& batch, const StepOptions& options) const {
    const auto tokens = static_cast<size_t>(batch.shape.batch * batch.shape.tokens);
    const std::span<const int32_t> content(batch.arrays.tokens, tokens);
    const uint64_t seen = hash64(std::as_bytes(content), weight_ + options.update);
    return hash64(std::as_bytes(std::span(&options.lr, 1)), seen);
  }

  EngineOptions options_;
  FakeBehaviour behaviour_;
  uint64_t weight_ = 1;
  bool finite_ = true;
  std::vector<StepLosses> losses_;
  std::vector<PhaseTimes> phases_;
};

/// A vocoder's engine of the same kind.
class FakeVocoderEngine final : public VocoderEngine {
 public:
  FakeVocoderEngine(VocoderEngineOptions options, FakeBehaviour behaviour)
      : options_(std::move(options)), behaviour_(std::move(behaviour)) {}

  ModelFacts facts() const override { return {.parameters = 1}; }
  ModelFacts judge_facts() const override { return {.parameters = 1}; }

  void step(uint64_t update, double lr) override {
    if (behaviour_.before_step) behaviour_.before_step(update);
    if (behaviour_.is_finite && !behaviour_.is_finite(update)) finite_ = false;
    if (finite_) weight_ = mix(update, lr);
    VocoderLosses losses;
    losses.mel = static_cast<float>(weight_ % 100'000) * 1e-5F;
    losses.total = 45 * losses.mel;
    losses.finite = finite_;
    if (!finite_) losses.*behaviour_.spoilt = std::numeric_limits<float>::quiet_NaN();
    losses_.push_back(losses);
  }

  std::vector<VocoderLosses> collect(size_t pending) override {
    const size_t count = losses_.size() - std::min(pending, losses_.size());
    const auto end = losses_.begin() + static_cast<ptrdiff_t>(count);
    std::vector<VocoderLosses> out(losses_.begin(), end);
    losses_.erase(losses_.begin(), end);
    return out;
  }

  /// Falls with each call.
  double evaluate(const SoundBank& sounds) override {
    return static_cast<double>(sounds.begins.size()) / ++evaluated_;
  }

  EngineState state() override {
    auto memory = behaviour_.copies->make(weight_);
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(memory.get()), 8);
    EngineState state;
    state.average = {{"weight", TensorType::u64, {1}, bytes}};
    state.training = {{"generator.weights.weight", TensorType::u64, {1}, bytes}};
    state.memory = memory;
    return state;
  }

  void restore(const SafetensorsFile& training, const SafetensorsFile& /*average*/) override {
    const int64_t one = 1;
    std::memcpy(&weight_,
                training.get("generator.weights.weight", TensorType::u64, {&one, 1}).bytes.data(),
                8);
  }

  uint64_t host_syncs() const override { return 0; }
  uint64_t memory_peak_bytes() const override { return 0; }
  size_t graphs() const override { return 0; }

 private:
  uint64_t mix(uint64_t update, double lr) const {
    uint64_t seen = weight_ + update;
    for (size_t i = 0; i < options_.sounds.begins.size(); ++i) {
      const std::span<const int16_t> clip(options_.sounds.samples + options_.sounds.begins[i],
                                          static_cast<size_t>(options_.sounds.lengths[i]));
      seen = hash64(std::as_bytes(clip), seen);
    }
    return hash64(std::as_bytes(std::span(&lr, 1)), seen);
  }

  VocoderEngineOptions options_;
  FakeBehaviour behaviour_;
  uint64_t weight_ = 1;
  bool finite_ = true;
  int evaluated_ = 0;
  std::vector<VocoderLosses> losses_;
};

/// Makes such engines.
class FakeLibrary final : public Library {
 public:
  TorchInfo torch_info() const override { return {.version = "0", .threads = threads}; }
  double gradient_error(const std::string& /*device*/) const override { return 0; }

  std::unique_ptr<Engine> make_engine(const EngineOptions& options) const override {
    if (behaviour.when_made) behaviour.when_made(options);
    return std::make_unique<FakeEngine>(options, behaviour);
  }
  std::unique_ptr<Voice> make_voice(const VoiceOptions& /*options*/,
                                    const SafetensorsFile& /*weights*/) const override {
    return nullptr;
  }
  std::unique_ptr<VocoderEngine> make_vocoder_engine(
      const VocoderEngineOptions& options) const override {
    return std::make_unique<FakeVocoderEngine>(options, behaviour);
  }
  std::unique_ptr<NeuralVocoder> make_vocoder(const VocoderOptions& /*options*/,
                                              const SafetensorsFile& /*weights*/) const override {
    return nullptr;
  }

  FakeBehaviour behaviour;
  int threads = 1;
};

}  // namespace seda::train::testing_support
