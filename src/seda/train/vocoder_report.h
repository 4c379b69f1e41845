// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/base/result.h"
#include "seda/device/device.h"
#include "seda/train/vocoder_engine.h"

namespace seda::train {

/// What a run of the vocoder's stage did.
struct VocoderReport {
  uint64_t updates = 0;      ///< Of all runs that went on from each other.
  uint64_t run_updates = 0;  ///< Of this one.
  double wall_seconds = 0;
  double init_seconds = 0;        ///< Until the first step was begun.
  double first_step_seconds = 0;  ///< From the start until the first step was done.
  double step_seconds = 0;        ///< Of training alone: neither validation nor checkpoints.
  uint64_t timed_updates = 0;     ///< In that time.
  double sound_per_step_s = 0;    ///< Seconds of sound that a step learns from.
  double corpus_seconds = 0;      ///< Of sound.
  std::string sounds;             ///< Where they lie.
  std::string cache_state;
  std::string stopped_by;  ///< "", "SIGTERM", "Ctrl-C".
  double host_syncs_per_step = 0;
  uint64_t memory_peak_bytes = 0;
  size_t graphs = 0;
  std::optional<VocoderLosses> first;  ///< Of this run.
  std::optional<VocoderLosses> last;
  std::optional<double> validation;  ///< The last distance of mels.
  std::optional<double> best_validation;
  std::vector<Fault> faults;
  std::filesystem::path checkpoint;  ///< The last; empty where none was written.
  device::Device device;
  ModelFacts generator;
  ModelFacts judges;
  std::vector<std::string> plan;  ///< As it was printed.

  double steps_per_second() const {
    return step_seconds > 0 ? static_cast<double>(timed_updates) / step_seconds : 0;
  }
};

Json to_json(const VocoderLosses& losses);
Json to_json(const VocoderReport& report);

/// For people: how fast it was and what to do next.
std::string report_text(const VocoderReport& report);

}  // namespace seda::train
