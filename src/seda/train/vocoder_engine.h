// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seda/device/stream.h"
#include "seda/model/vocos_options.h"
#include "seda/train/engine_state.h"
#include "seda/train/model_facts.h"
#include "seda/train/optimizer_options.h"
#include "seda/train/safetensors.h"

namespace seda::train {

/// Sounds that lie one after another in memory that the model's device can read. The memory belongs
/// to someone else and outlives every use.
struct SoundBank {
  const int16_t* samples = nullptr;
  int64_t count = 0;             ///< Of all samples.
  std::vector<int64_t> begins;   ///< Of each clip, its first sample.
  std::vector<int64_t> lengths;  ///< Of each clip; at least 1.
};

struct VocoderEngineOptions {
  model::VocosOptions network;
  model::DiscriminatorOptions discriminators;
  OptimizerOptions optimizer;  ///< Of both; batches are not accumulated.
  device::StreamView stream;   ///< Of the model's device: all work is enqueued here.
  SoundBank sounds;            ///< To learn from.
  int rows = 16;               ///< Of a batch.
  int crop_frames = 64;        ///< Of a row.
  uint64_t judged_from = 0;    ///< The first update in which discriminators count.
  uint64_t seed = 0;           ///< Of weights and crops.
  bool mixed_precision = false;
  bool graphs = false;
  bool fused = true;
  bool deterministic = false;
  uint64_t memory_limit_bytes = 0;  ///< Of torch on the model's device; 0: none.
};

/// What one step left. The total is the generator's.
struct VocoderLosses {
  float total = 0;
  float mel = 0;       ///< Mean distance of full-band log-mels; the total has it 45 times.
  float fooling = 0;   ///< How surely discriminators tell its sound; 0 before they count.
  float features = 0;  ///< How differently they see it.
  float judging = 0;   ///< Of the discriminators.
  float gradient_norm = 0;
  float judge_gradient_norm = 0;
  bool finite = true;  ///< Off: this or an earlier step was not; whose loss that was, generator's
                       ///< or judges', was updated no more.
};

/// A vocoder being trained: what is done with torch, behind an interface that needs none of it.
///
/// One thread. `step` only enqueues work on the stream, after warming up; nothing else waits for
/// the device but what says so. Failures are Errors as of `Engine`.
class VocoderEngine {
 public:
  virtual ~VocoderEngine() = default;

  virtual ModelFacts facts() const = 0;        ///< Of the generator.
  virtual ModelFacts judge_facts() const = 0;  ///< Of all discriminators together.

  /// Learns from crops that are a function of seed and update.
  virtual void step(uint64_t update, double lr) = 0;

  /// What the steps since the last call left, in their order, but for the newest `pending`. Waits
  /// for those it gives.
  virtual std::vector<VocoderLosses> collect(size_t pending) = 0;

  /// Mean distance of full-band log-mels between sounds and what the averaged weights make of their
  /// mels: of the middles of at most 64 clips, spread over all. Waits.
  virtual double evaluate(const SoundBank& sounds) = 0;

  /// Copies everything that a checkpoint keeps. Waits.
  virtual EngineState state() = 0;

  /// Goes on from a state; tensors that are missing, foreign or of another shape are an Error(io)
  /// that names them, and leave all as it was.
  virtual void restore(const SafetensorsFile& training, const SafetensorsFile& average) = 0;

  virtual uint64_t host_syncs() const = 0;         ///< As of `Engine`.
  virtual uint64_t memory_peak_bytes() const = 0;  ///< Likewise.
  virtual size_t graphs() const = 0;               ///< CUDA graphs that steps run as.
};

}  // namespace seda::train
