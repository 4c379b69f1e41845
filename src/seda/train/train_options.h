// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "seda/base/progress.h"
#include "seda/base/trace.h"
#include "seda/config/config.h"
#include "seda/train/optimizer_options.h"
#include "seda/train/ranks.h"

namespace seda::train {

/// What a run is asked to do: the keys `training.*`, and what only a command line says.
struct TrainOptions {
  config::Config config;
  std::filesystem::path corpus;
  std::filesystem::path validation;  ///< Empty: clips held out of the corpus.
  std::filesystem::path run_folder;  ///< Folder of checkpoints and logs.
  std::filesystem::path tensorboard;
  std::filesystem::path batch_trace;  ///< Empty: none.
  std::filesystem::path resume;       ///< Empty: the newest in `run_folder`, if there is one.
  bool reset = false;
  bool use_cache = true;       ///< Off (--no-prepare): raw files.
  bool announce_cache = true;  ///< Off, where the corpus was opened before.
  uint64_t epochs = 0;
  bool epochs_given = true;  ///< Off: the default, which yields to `max_updates`.
  std::optional<uint64_t> max_updates;
  uint64_t log_every = 50;
  uint64_t eval_every = 1000;
  uint64_t checkpoint_every = 1000;
  size_t keep_checkpoints = 3;
  uint64_t seed = 0;
  OptimizerOptions optimizer;
  Ranks ranks;
  ProgressStyle progress = ProgressStyle::quiet;
  TraceRecorder* trace = nullptr;  ///< Timeline of loader and steps.
};

/// The configuration has been checked.
TrainOptions train_options(const config::Config& config, const std::filesystem::path& corpus);

}  // namespace seda::train
