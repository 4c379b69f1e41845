// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seda/base/progress.h"
#include "seda/base/trace.h"
#include "seda/config/config.h"
#include "seda/device/monitor.h"
#include "seda/device/platform.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/consumer.h"
#include "seda/diagnose/corpus_figures.h"
#include "seda/diagnose/run_traces.h"
#include "seda/diagnose/section.h"
#include "seda/diagnose/step_profile.h"

namespace seda::diagnose {

struct DiagnosisOptions {
  std::filesystem::path corpus;
  size_t batches = 100;   ///< Of the measured run, or fewer when it lasts long.
  double step_s = 0;      ///< Time of a training step; 0: as the probe says.
  bool use_cache = true;  ///< Off: raw files.
  ProbeStep probe;        ///< Absent where there is no trainer,
  std::string no_probe;   ///< because of this.
  ProgressStyle progress = ProgressStyle::quiet;
};

/// What was found.
struct Diagnosis {
  std::vector<Section> sections;             ///< Eight.
  std::vector<std::string> issues;           ///< What is not as it should be, one each.
  std::vector<std::string> recommendations;  ///< What to do, with what it brings where measured.
  std::vector<std::pair<std::string, std::string>> config_changes;  ///< Keys and their new values.
  Verdict verdict;
  CorpusFigures corpus;
  // Of the measured run, for charts.
  Consumption run;
  BatchTimes times;
  RunTraces traces;
  std::vector<TraceRow> rows;  ///< The last seconds of the run, by thread and stream.
  int64_t rows_begin_ns = 0;   ///< Where those seconds begin.
  int64_t rows_end_ns = 0;     ///< Where those seconds end.
  std::vector<std::string> memory_plan;
  double step_s = 0;
  std::string step_source;
  double seconds = 0;  ///< The diagnosis took.
};

/// Finds what holds training back: measures the machine, the corpus' storage, how the loader starts
/// and how it feeds a consumer, names one cause, and tries what helps against it.
///
/// Takes under a minute: each part has its time. Prepares the corpus first where that is needed;
/// files of the corpus and its cache are dropped from the page cache on the way. `trace`, which
/// outlives the call, has the measured run. Ctrl-C is an Error(interrupted).
Diagnosis diagnose(const config::Config& config, const device::Platform& platform,
                   device::Monitor& monitor, const DiagnosisOptions& options, TraceRecorder& trace);

}  // namespace seda::diagnose
