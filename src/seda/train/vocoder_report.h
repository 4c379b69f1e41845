// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "seda/base/json.h"
#include "seda/device/device.h"
#include "seda/train/run_outcome.h"
#include "seda/train/vocoder_engine.h"

namespace seda::train {

/// What a run of the vocoder's stage did.
struct VocoderReport : RunOutcome {
  double step_seconds = 0;      ///< Of training alone: neither validation nor checkpoints.
  uint64_t timed_updates = 0;   ///< In that time.
  double sound_per_step_s = 0;  ///< Seconds of sound that a step learns from.
  double corpus_seconds = 0;    ///< Of sound.
  std::string sounds;           ///< Where they lie.
  size_t graphs = 0;
  std::optional<VocoderLosses> first;  ///< Of this run.
  std::optional<VocoderLosses> last;
  device::Device device;
  ModelFacts generator;
  ModelFacts judges;

  double steps_per_second() const {
    return step_seconds > 0 ? static_cast<double>(timed_updates) / step_seconds : 0;
  }
};

Json to_json(const VocoderLosses& losses);
Json to_json(const VocoderReport& report);

/// For people: how fast it was and what to do next.
std::string report_text(const VocoderReport& report);

}  // namespace seda::train
