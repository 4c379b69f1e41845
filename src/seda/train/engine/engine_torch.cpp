// SPDX-License-Identifier: Apache-2.0
#include "seda/train/engine/engine_torch.h"

#include <chrono>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/feed/planted_faults.h"
#include "seda/train/engine/batch_tensors.h"
#include "seda/train/engine/flat_parameters.h"
#include "seda/train/engine/host_syncs.h"
#include "seda/train/engine/kernel_recorder.h"
#include "seda/train/engine/loss_ring.h"
#include "seda/train/engine/model_facts.h"
#include "seda/train/engine/numerics.h"
#include "seda/train/engine/optimizer.h"
#include "seda/train/engine/phase_clock.h"
#include "seda/train/engine/rank_group.h"
#include "seda/train/engine/speech_tensors.h"
#include "seda/train/engine/step_graphs.h"
#include "seda/train/engine/torch_device.h"
#include "seda/train/engine/torch_errors.h"
#include "seda/train/engine/training_state.h"
#include "seda/train/engine/training_step.h"

namespace seda::train {
namespace {

/// While it lives, the model is not training and has the averaged weights.
class Speaking {
 public:
  Speaking(model::VoiceModel& model, FlatParameters& parameters)
      : model_(model), average_(parameters) {
    model_->eval();
  }
  ~Speaking() { model_->train(); }
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;

 private:
  model::VoiceModel& model_;
  torch::NoGradGuard no_grad_;
  AverageInUse average_;
};

/// Kernels of our own for layers and updates; without them every operation is torch's.
bool takes_own_kernels(const EngineOptions& options) {
  return options.fused && !options.checked;
}

/// Torch has one generator for the whole process, so one model is made at a time.
model::VoiceModel new_model(const EngineOptions& options) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  torch::manual_seed(options.seed);
  model::VoiceModel model(options.model);
  model->set_fused(takes_own_kernels(options));
  if (options.stream.device().is_cpu()) model->set_heed(options.heed);
  model->train();
  return model;
}

bool uses_graphs(const EngineOptions& options) {
  return options.graphs && options.stream.device().is_cuda() && !options.checked;
}

/// Rows of durations without their padding.
std::vector<AlignedClip> aligned_clips(const torch::Tensor& durations,
                                       const model::ModelBatch& batch) {
  const auto rows = durations.cpu().contiguous();
  const auto tokens = batch.token_lengths.cpu();
  const auto frames = batch.mel_lengths.cpu();
  std::vector<AlignedClip> clips;
  for (int64_t i = 0; i < rows.size(0); ++i) {
    const auto* row = rows[i].const_data_ptr<int32_t>();
    clips.push_back(
        {.durations = {row, row + tokens[i].item<int32_t>()}, .frames = frames[i].item<int32_t>()});
  }
  return clips;
}

class TorchEngine final : public Engine {
 public:
  explicit TorchEngine(const EngineOptions& options);
  ~TorchEngine() override { options_.stream.synchronize(); }
  TorchEngine(const TorchEngine&) = delete;
  TorchEngine& operator=(const TorchEngine&) = delete;

  ModelFacts facts() const override { return model_facts(parameters_); }
  void step(const feed::Batch& batch, const StepOptions& options) override;
  void step_in_phases(const feed::Batch& batch, const StepOptions& options) override;
  std::vector<PhaseTimes> collect_phases() override { return phases_.take(); }
  std::optional<BusyTime> time_kernels(const std::function<void()>& work) override;
  std::vector<StepLosses> collect(size_t pending) override;
  StepLosses evaluate(const feed::Batch& batch, uint64_t key) override;
  std::vector<AlignedClip> align(const feed::Batch& batch) override;
  std::vector<model::SpokenMel> speak(std::span<const model::SpeechRequest> requests,
                                      const model::SpeechOptions& options) override;
  EngineState state() override;
  void restore(const SafetensorsFile& training, const SafetensorsFile& average) override;
  std::vector<double> largest(std::span<const double> values) override;
  uint64_t host_syncs() const override { return host_syncs_; }
  uint64_t memory_peak_bytes() const override {
    return torch_memory(options_.stream.device()).peak_bytes;
  }
  size_t graphs() const override { return graphs_ == nullptr ? 0 : graphs_->shapes(); }

 private:
  /// Calls on the stream, with torch's exceptions made Errors.
  template <typename Call>
  auto run(std::string_view what, Call&& call) {
    const TorchWork work{.what = what,
                         .device = options_.stream.device(),
                         .memory_limit_bytes = options_.memory_limit_bytes,
                         .largest = largest_};
    return in_torch(work, [&] {
      const StreamScope scope(options_.stream);
      return call();
    });
  }

  void share_state();
  void accept(const feed::Batch& batch);
  bool seen(const feed::BatchShape& shape, bool ends_update);
  void run_step(const feed::Batch& batch, bool ends_update);
  void look();
  model::ModelLosses average_losses(const feed::Batch& batch, uint64_t key);

  EngineOptions options_;
  torch::Device device_;
  std::unique_ptr<RankGroup> group_;  // null: alone
  model::VoiceModel model_;
  FlatParameters parameters_;
  Optimizer optimizer_;
  TrainingStep step_;
  LossRing ring_;
  PhaseClock phases_;
  std::unique_ptr<StepGraphs> graphs_;
  std::set<std::tuple<int, int, int, bool>> seen_;
  feed::BatchShape largest_;
  uint64_t host_syncs_ = 0;
};

TorchEngine::TorchEngine(const EngineOptions& options)
    : options_(options),
      device_(torch_device(options.stream.device())),
      group_(options.ranks.alone() ? nullptr
                                   : join_rank_group(options.ranks, options.stream.device())),
      model_(new_model(options)),
      parameters_(model_.ptr(), device_,
                  options.mixed_precision ? torch::kBFloat16 : torch::kFloat32),
      optimizer_(parameters_, options.optimizer, options.fused && !options.checked,
                 takes_own_kernels(options)),
      step_(model_, parameters_, optimizer_, group_.get(), options),
      ring_(options.stream),
      phases_(options.stream) {
  share_state();
  if (uses_graphs(options)) graphs_ = std::make_unique<StepGraphs>(step_, options.stream);
}

/// All ranks begin with what rank 0 has.
void TorchEngine::share_state() {
  if (group_ == nullptr) return;
  const torch::NoGradGuard no_grad;
  const FlatState& state = parameters_.state();
  for (const torch::Tensor& tensor :
       {state.weights, state.exp_avg, state.exp_avg_sq, state.average, state.steps})
    share_from_first(*group_, options_.ranks, tensor);
  parameters_.publish();
}

void TorchEngine::accept(const feed::Batch& batch) {
  const auto frames = [](const feed::BatchShape& shape) {
    return static_cast<int64_t>(shape.batch) * shape.frames;
  };
  if (options_.heed) options_.heed();
  check_batch(batch, options_.stream.device());
  if (frames(batch.shape) > frames(largest_)) largest_ = batch.shape;
}

/// Whether such a step ran before; from now on it did.
bool TorchEngine::seen(const feed::BatchShape& shape, bool ends_update) {
  return !seen_.insert({shape.batch, shape.tokens, shape.frames, ends_update}).second;
}

void TorchEngine::run_step(const feed::Batch& batch, bool ends_update) {
  if (graphs_ != nullptr) {
    graphs_->run(batch, ends_update);
  } else {
    step_.run(batch_tensors(batch.shape, batch.arrays, device_), ends_update);
  }
  ring_.push(step_.row());
}

/// As a loop that prints each loss.
void TorchEngine::look() {
  step_.row().cpu();
  feed::be_busy_ms(options_.look_ms);
}

void TorchEngine::step(const feed::Batch& batch, const StepOptions& options) {
  accept(batch);
  run("a training step", [&] {
    step_.prepare(options);
    const bool ends_update = step_.ends_update(options.part);
    uint64_t of_first = 0;
    const HostSyncCounter counter(seen(batch.shape, ends_update) ? host_syncs_ : of_first);
    run_step(batch, ends_update);
    if (options_.look_ms > 0) look();
  });
}

void TorchEngine::step_in_phases(const feed::Batch& batch, const StepOptions& options) {
  accept(batch);
  run("a training step in phases", [&] {
    step_.prepare(options);
    step_.run(batch_tensors(batch.shape, batch.arrays, device_), step_.ends_update(options.part),
              &phases_);
    phases_.end_step();
    ring_.push(step_.row());
  });
}

std::optional<BusyTime> TorchEngine::time_kernels(const std::function<void()>& work) {
  const device::Device device = options_.stream.device();
  if (!device.is_cuda()) {
    work();
    return std::nullopt;
  }
  options_.stream.synchronize();
  KernelRecorder recorder;
  work();
  options_.stream.synchronize();
  return busy_time(recorder.take(device));
}

std::vector<StepLosses> TorchEngine::collect(size_t pending) {
  while (group_ != nullptr && !ring_.ready(pending)) {
    group_->check();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return ring_.take(pending);
}

std::vector<double> TorchEngine::largest(std::span<const double> values) {
  if (group_ != nullptr) return group_->largest(values);
  return {values.begin(), values.end()};
}

model::ModelLosses TorchEngine::average_losses(const feed::Batch& batch, uint64_t key) {
  const Speaking speaking(model_, parameters_);
  const auto number = torch::full({}, static_cast<int64_t>(key),
                                  torch::TensorOptions().dtype(torch::kInt64).device(device_));
  return model_->losses(batch_tensors(batch.shape, batch.arrays, device_),
                        model::Noise(options_.seed, number));
}

StepLosses TorchEngine::evaluate(const feed::Batch& batch, uint64_t key) {
  accept(batch);
  return run("an evaluation", [&] {
    const auto losses = average_losses(batch, key);
    const auto zero = torch::zeros_like(losses.total);
    const auto bad = 1 - torch::isfinite(losses.total).to(torch::kFloat32);
    const auto row =
        torch::stack({losses.total, losses.prior, losses.duration, losses.flow, zero, bad});
    return losses_of(row.cpu().const_data_ptr<float>());
  });
}

std::vector<AlignedClip> TorchEngine::align(const feed::Batch& batch) {
  accept(batch);
  return run("an alignment", [&] {
    return aligned_clips(average_losses(batch, 0).durations,
                         batch_tensors(batch.shape, batch.arrays, device_));
  });
}

std::vector<model::SpokenMel> TorchEngine::speak(std::span<const model::SpeechRequest> requests,
                                                 const model::SpeechOptions& options) {
  return run("speech", [&] {
    const Speaking speaking(model_, parameters_);
    return speak_requests(model_, device_, requests, options);
  });
}

EngineState TorchEngine::state() {
  return run("a copy of the training state",
             [&] { return copy_state(parameters_, options_.stream); });
}

void TorchEngine::restore(const SafetensorsFile& training, const SafetensorsFile& average) {
  run("taking a training state back", [&] {
    restore_state(parameters_, training, average);
    share_state();
    optimizer_.latch().zero_();
  });
}

void check_options(const EngineOptions& options) {
  model::check(options.model);
  if (options.optimizer.accumulation >= 1) return;
  throw_error(ErrorKind::config, "gradient accumulation: expected at least 1, found {}",
              options.optimizer.accumulation);
}

}  // namespace

std::unique_ptr<Engine> make_torch_engine(const EngineOptions& options) {
  check_options(options);
  const device::Device device = options.stream.device();
  const TorchWork work{.what = "making the model",
                       .device = device,
                       .memory_limit_bytes = options.memory_limit_bytes,
                       .largest = {}};
  return in_torch(work, [&]() -> std::unique_ptr<Engine> {
    set_numerics(options);
    limit_torch_memory(device, options.memory_limit_bytes);
    forget_memory_peak(device);
    const StreamScope scope(options.stream);
    return std::make_unique<TorchEngine>(options);
  });
}

}  // namespace seda::train
