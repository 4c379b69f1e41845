// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/diagnose/batch_times.h"
#include "seda/feed/feed_options.h"
#include "seda/train/gpu_watch.h"
#include "seda/train/model_facts.h"
#include "seda/train/run_figures.h"
#include "seda/train/run_outcome.h"
#include "seda/train/step_losses.h"

namespace seda::train {

/// What a run of the voice's stage did.
struct TrainReport : RunOutcome {
  uint64_t epochs = 0;  ///< Whole ones.
  std::string path;     ///< "cache (mapped), native loader, graphs".
  int accumulation = 1;
  RunFigures figures;
  diagnose::BatchTimes times;
  std::optional<double> ceiling;  ///< Batches/s with resident ones.
  std::optional<double> share_of_ceiling;
  feed::Roles roles;
  std::vector<GpuFigures> gpus;
  std::optional<StepLosses> first;  ///< Of this run.
  std::optional<StepLosses> last;
  std::filesystem::path page;  ///< The same for a browser; empty where none was written.
  ModelFacts model;
  struct Spent {
    std::string what;
    double seconds = 0;
  };
  std::vector<Spent> spent;  ///< Where the time went.
};

Json to_json(const TrainReport& report);

/// For people: how fast it was, where time went, what to do next.
std::string report_text(const TrainReport& report);

/// The figures of a stretch by the names that `to_json` gives them.
Json to_json(const RunFigures& figures);
Json to_json(const StepLosses& losses);

}  // namespace seda::train
