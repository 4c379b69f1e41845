// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "seda/config/config.h"
#include "seda/device/monitor.h"
#include "seda/device/platform.h"
#include "seda/diagnose/corpus_view.h"
#include "seda/diagnose/sound_survey.h"
#include "seda/feed/feed_options.h"

namespace seda::diagnose {

/// What a model takes on its device before its first step, beside what a step itself needs.
struct ModelMemory {
  int64_t parameters = 0;
  uint64_t weight_bytes = 0;     ///< As they compute.
  uint64_t optimizer_bytes = 0;  ///< Gradients, fp32 weights, moments, average.
};

/// Tells it of the model that the configuration asks for, trained on those clips. From whoever
/// knows models.
using WeighModel = std::function<ModelMemory(const feed::ClipSource&)>;

/// The machine without its GPUs.
struct Machine {
  int cores = 1;  ///< That this process may use.
  std::optional<uint64_t> memory_bytes;
};

/// What checks look at. Refers to what outlives it.
struct CheckContext {
  const config::Config& config;
  const config::ProblemList& problems;
  std::optional<std::filesystem::path> file;  ///< Nothing: defaults.
  std::string text;                           ///< Of the file.
  const device::Platform& platform;
  device::Monitor& monitor;
  Machine machine;

  // What could be found out; the checks before these need none of them.
  std::optional<feed::FeedOptions> feed;  ///< Nothing: the roles cannot be had.
  std::optional<CorpusView> view;         ///< Nothing: for the reason in `no_view`.
  std::string no_view;                    ///< Why there is no view.
  std::string to_view;                    ///< What to do to have one.
  std::string corpus_problem;             ///< Why the corpus cannot be read; empty: it can be.
  std::optional<SoundSurvey> sounds;
  std::optional<ModelMemory> model;  ///< Nothing: for the reason in `no_model`.
  std::string no_model;              ///< Why no model is known.
  bool model_failed = false;         ///< None is, because its keys do not fit each other.

  bool has_gpu() const { return platform.cuda_absence().empty(); }
  /// Where the model is, or would be if that device were there.
  device::Device model_device() const;
};

}  // namespace seda::diagnose
