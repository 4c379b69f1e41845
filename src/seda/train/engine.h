// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "seda/device/stream.h"
#include "seda/feed/batch.h"
#include "seda/model/model_options.h"
#include "seda/model/phases.h"
#include "seda/model/speech_request.h"
#include "seda/train/busy_time.h"
#include "seda/train/engine_state.h"
#include "seda/train/model_facts.h"
#include "seda/train/optimizer_options.h"
#include "seda/train/ranks.h"
#include "seda/train/safetensors.h"
#include "seda/train/step_losses.h"

namespace seda::train {

struct EngineOptions {
  model::ModelOptions model;
  OptimizerOptions optimizer;
  device::StreamView stream;  ///< Of the model's device: all work is enqueued here.
  Ranks ranks;
  uint64_t seed = 0;                ///< Of weights, noise and dropout.
  bool mixed_precision = false;     ///< Compute in bf16; weights of the optimizer stay fp32.
  bool graphs = false;              ///< A CUDA graph for each shape; not on the CPU.
  bool fused = true;                ///< Fused kernels; off: op by op, for comparison.
  bool checked = false;             ///< Every operation is checked for NaN and Inf, at once; slow.
  bool deterministic = false;       ///< Only operations with a fixed order of additions.
  uint64_t memory_limit_bytes = 0;  ///< Of torch on the model's device; 0: none.
  double look_ms = 0;  ///< A planted fault: after each step the host reads its loss, then is busy
                       ///< so long; 0: it does not look.
  /// Called before each step and, on the CPU, between its layers. What it throws ends the step, and
  /// the engine is then of no more use.
  std::function<void()> heed{};  // NOLINT: g++ wants it where others are named
};

struct StepOptions {
  uint64_t update = 0;  ///< Number of the optimizer's update it belongs to, from 0.
  int part = 0;         ///< Which of the accumulated batches. Both together key all noise.
  double lr = 0;
};

/// What the parts of one step took, by model::Phase; seconds.
struct PhaseTimes {
  std::array<double, model::kPhases> device_s{};  ///< By events on the stream.
  std::array<double, model::kPhases> host_s{};    ///< The host was in it, to enqueue it.
};

/// Which token each frame of a clip was given to.
struct AlignedClip {
  std::vector<int32_t> durations;  ///< [tokens]
  int frames = 0;
};

/// A model being trained: what is done with torch, behind an interface that needs none of it.
///
/// One thread. `step` only enqueues work on the stream, after warming up each new shape; nothing
/// else waits for the device but what says so. Failures of torch are Errors: out of memory is an
/// Error(memory) with what torch says of it, anything else an Error(internal).
class Engine {
 public:
  virtual ~Engine() = default;

  virtual ModelFacts facts() const = 0;

  /// Learns from a batch of the loader. The batch may be given back right after.
  virtual void step(const feed::Batch& batch, const StepOptions& options) = 0;

  /// The same op by op, whatever the options say, with its parts timed.
  virtual void step_in_phases(const feed::Batch& batch, const StepOptions& options) = 0;

  /// Of the steps in phases since the last call. Waits for them.
  virtual std::vector<PhaseTimes> collect_phases() = 0;

  /// Calls `work` and says how much of its time kernels ran in on the model's device; nothing on a
  /// CPU. Where they cannot be recorded, an Error(unavailable) says why, and nothing was called.
  virtual std::optional<BusyTime> time_kernels(const std::function<void()>& work) = 0;

  /// What the steps since the last call left, in their order, but for the newest `pending`. Waits
  /// for those it gives; with two pending the device has work meanwhile.
  virtual std::vector<StepLosses> collect(size_t pending) = 0;

  /// Loss of the averaged weights on a batch, with noise that depends on `key` alone. Waits.
  virtual StepLosses evaluate(const feed::Batch& batch, uint64_t key) = 0;

  /// How the averaged weights align a batch's clips. Waits.
  virtual std::vector<AlignedClip> align(const feed::Batch& batch) = 0;

  /// Speech of the averaged weights. Waits.
  virtual std::vector<model::SpokenMel> speak(std::span<const model::SpeechRequest> requests,
                                              const model::SpeechOptions& options) = 0;

  /// Copies everything that a checkpoint keeps. Waits.
  virtual EngineState state() = 0;

  /// Goes on from a state; tensors that are missing, foreign or of another shape are an Error(io)
  /// that names them, and leave all as it was.
  virtual void restore(const SafetensorsFile& training, const SafetensorsFile& average) = 0;

  /// Largest of each value over all ranks; also waits for them. Alone: the same values.
  virtual std::vector<double> largest(std::span<const double> values) = 0;

  /// Times torch made the host wait for the device in `step`, since the first step of each shape.
  virtual uint64_t host_syncs() const = 0;

  /// Largest memory torch held on the model's device; 0 on the CPU.
  virtual uint64_t memory_peak_bytes() const = 0;

  /// Shapes whose step runs as a CUDA graph.
  virtual size_t graphs() const = 0;
};

}  // namespace seda::train
