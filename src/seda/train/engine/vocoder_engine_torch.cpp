// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/vocoder_engine_torch.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>

#include "seda/base/error.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/captured_graph.h"
#include "seda/train/engine/host_syncs.h"
#include "seda/train/engine/model_facts.h"
#include "seda/train/engine/numerics.h"
#include "seda/train/engine/row_ring.h"
#include "seda/train/engine/torch_device.h"
#include "seda/train/engine/torch_errors.h"
#include "seda/train/engine/training_state.h"
#include "seda/train/engine/vocoder_step.h"

namespace seda::train {
namespace {

constexpr int64_t kMostClips = 64;      // that are evaluated,
constexpr int64_t kEvaluatedRows = 16;  // so many at a time
constexpr int64_t kEvaluatedFrames = 128;

constexpr std::string_view kGenerator = "generator.";
constexpr std::string_view kJudges = "discriminators.";

/// Torch has one generator of random numbers for the whole process, so one is made at a time.
template <typename Network, typename Options>
Network seeded(const Options& options, uint64_t seed) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  torch::manual_seed(seed);
  Network network(options);
  network->train();
  return network;
}

class TorchVocoderEngine final : public VocoderEngine {
 public:
  explicit TorchVocoderEngine(const VocoderEngineOptions& options)
      : options_(options),
        device_(torch_device(options.stream.device())),
        mel_(options.network.mel, device_),
        heard_(model::full_band(options.network.mel), device_),
        crops_(options.sounds, mel_, options.crop_frames, device_),
        generator_(seeded<model::Vocos>(options.network, options.seed), device_, options.optimizer,
                   options.fused),
        judges_(seeded<model::Discriminators>(options.discriminators, options.seed), device_,
                options.optimizer, options.fused),
        step_(generator_, judges_, crops_, heard_, options),
        ring_(options.stream, kVocoderColumns) {
    if (options.mixed_precision) {
      generator_.network->compute_in(torch::kBFloat16);
      judges_.network->compute_in(torch::kBFloat16);
    }
    if (options.graphs && options.stream.device().is_cuda()) maker_.emplace(options.stream);
  }
  ~TorchVocoderEngine() override { options_.stream.synchronize(); }
  TorchVocoderEngine(const TorchVocoderEngine&) = delete;
  TorchVocoderEngine& operator=(const TorchVocoderEngine&) = delete;

  ModelFacts facts() const override { return model_facts(generator_.parameters); }
  ModelFacts judge_facts() const override { return model_facts(judges_.parameters); }

  void step(uint64_t update, double lr) override;
  std::vector<VocoderLosses> collect(size_t pending) override;
  double evaluate(const SoundBank& sounds) override;
  EngineState state() override;
  void restore(const SafetensorsFile& training, const SafetensorsFile& average) override;
  uint64_t host_syncs() const override { return host_syncs_; }
  uint64_t memory_peak_bytes() const override {
    return torch_memory(options_.stream.device()).peak_bytes;
  }
  size_t graphs() const override {
    return static_cast<size_t>(
        std::ranges::count_if(graphs_, [](const auto& graph) { return graph != nullptr; }));
  }

 private:
  /// Calls on the stream, with torch's exceptions made Errors.
  template <typename Call>
  auto run(std::string_view what, Call&& call) {
    const TorchWork work{.what = what,
                         .device = options_.stream.device(),
                         .memory_limit_bytes = options_.memory_limit_bytes,
                         .largest = {}};
    return in_torch(work, [&] {
      const StreamScope scope(options_.stream);
      return call();
    });
  }

  void run_step(bool judged);
  double distance_of(const SoundBank& sounds);

  VocoderEngineOptions options_;
  torch::Device device_;
  model::MelTorch mel_;    // that the generator is given
  model::MelTorch heard_;  // that sounds are compared by: what the other leaves out is heard too
  CropSource crops_;
  Learning<model::Vocos> generator_;
  Learning<model::Discriminators> judges_;
  VocoderStep step_;
  RowRing ring_;
  std::optional<GraphMaker> maker_;
  std::array<std::unique_ptr<CapturedGraph>, 2> graphs_;  // without judges, with them
  std::set<bool> seen_;
  uint64_t host_syncs_ = 0;
};

void TorchVocoderEngine::step(uint64_t update, double lr) {
  run("a training step", [&] {
    const bool judged = update >= options_.judged_from;
    uint64_t of_first = 0;
    const HostSyncCounter counter(seen_.contains(judged) ? host_syncs_ : of_first);
    seen_.insert(judged);
    step_.prepare(update, lr);
    run_step(judged);
    ring_.push(step_.row());
  });
}

std::vector<VocoderLosses> TorchVocoderEngine::collect(size_t pending) {
  const std::vector<float> values = ring_.take(pending);
  std::vector<VocoderLosses> losses;
  losses.reserve(values.size() / kVocoderColumns);
  for (size_t i = 0; i < values.size(); i += kVocoderColumns)
    losses.push_back(vocoder_losses_of(values.data() + i));
  return losses;
}

double TorchVocoderEngine::evaluate(const SoundBank& sounds) {
  return run("an evaluation", [&] { return distance_of(sounds); });
}

EngineState TorchVocoderEngine::state() {
  return run("a copy of the training state", [&] {
    EngineState state = copy_state(generator_.parameters, options_.stream, kGenerator);
    EngineState judges = copy_state(judges_.parameters, options_.stream, kJudges);
    std::ranges::move(judges.training, std::back_inserter(state.training));
    state.memory = std::make_shared<std::array<std::shared_ptr<const void>, 2>>(
        std::array{std::move(state.memory), std::move(judges.memory)});
    return state;
  });
}

void TorchVocoderEngine::restore(const SafetensorsFile& training, const SafetensorsFile& average) {
  run("taking a training state back", [&] {
    const ParameterLayout& of_generator = generator_.parameters.layout();
    const ParameterLayout& of_judges = judges_.parameters.layout();
    auto known = training_names(of_generator, kGenerator);
    known.merge(training_names(of_judges, kJudges));
    refuse_foreign(training, known);
    refuse_foreign(of_generator, average, std::array{std::string_view()}, {});
    const StoredTraining generator = read_training(of_generator, training, kGenerator);
    const StoredTraining judges = read_training(of_judges, training, kJudges);
    take_training(generator_.parameters, generator, read_flat(of_generator, average, ""));
    take_training(judges_.parameters, judges, {});
    generator_.optimizer.latch().zero_();
    judges_.optimizer.latch().zero_();
  });
}

void TorchVocoderEngine::run_step(bool judged) {
  if (!maker_) {
    step_.run(judged);
    return;
  }
  auto& graph = graphs_[judged ? 1 : 0];
  if (graph == nullptr) {
    graph = maker_->make({.rehearse = [&] { step_.rehearse(judged); },
                          .run = [&] { step_.run(judged); },
                          .what = "a step of the vocoder"});
  }
  graph->replay();
}

double TorchVocoderEngine::distance_of(const SoundBank& sounds) {
  const torch::NoGradGuard no_grad;
  const AverageInUse average(generator_.parameters);
  const CropSource crops(sounds, mel_, std::max<int64_t>(kEvaluatedFrames, options_.crop_frames),
                         device_);
  const int64_t wanted = std::min(kMostClips, crops.clips());
  const auto numbers = torch::arange(wanted, torch::TensorOptions(torch::kInt64).device(device_));
  const auto chosen = (numbers * crops.clips()).div(wanted, "floor");
  auto sum = torch::zeros({}, torch::TensorOptions(torch::kFloat64).device(device_));
  for (const torch::Tensor& clips : chosen.split(kEvaluatedRows)) {
    const Crops cut = crops.middles(clips);
    const auto made = generator_.network->forward(cut.mels);
    sum += (heard_.apply(made) - heard_.apply(cut.sounds)).abs().mean({1, 2}).sum();
  }
  return sum.item<double>() / static_cast<double>(wanted);
}

void check_options(const VocoderEngineOptions& options) {
  model::check(options.network);
  model::check(options.discriminators);
  const int64_t crop = int64_t{options.crop_frames} * options.network.mel.hop_length;
  const int64_t longest = std::max<int64_t>(std::ranges::max(options.discriminators.spectrum_sizes),
                                            options.network.mel.n_fft);
  if (options.rows >= 1 && crop >= longest) return;
  throw_error(ErrorKind::config,
              "a batch of the vocoder: expected rows of at least {} samples, found {} rows of {}",
              longest, options.rows, crop);
}

EngineOptions numerics_of(const VocoderEngineOptions& options) {
  EngineOptions out;
  out.fused = options.fused;
  out.deterministic = options.deterministic;
  return out;
}

}  // namespace

std::unique_ptr<VocoderEngine> make_torch_vocoder_engine(const VocoderEngineOptions& options) {
  check_options(options);
  const device::Device device = options.stream.device();
  const TorchWork work{.what = "making the vocoder",
                       .device = device,
                       .memory_limit_bytes = options.memory_limit_bytes,
                       .largest = {}};
  return in_torch(work, [&]() -> std::unique_ptr<VocoderEngine> {
    set_numerics(numerics_of(options));
    // Products of fp32 are those of mels and phases: they are heard where they are rounded.
    at::globalContext().setAllowTF32CuBLAS(false);
    limit_torch_memory(device, options.memory_limit_bytes);
    forget_memory_peak(device);
    const StreamScope scope(options.stream);
    return std::make_unique<TorchVocoderEngine>(options);
  });
}

}  // namespace seda::train
