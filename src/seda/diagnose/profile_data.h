// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/base/progress.h"
#include "seda/base/trace.h"
#include "seda/config/config.h"
#include "seda/device/platform.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/consumer.h"
#include "seda/diagnose/sample_times.h"
#include "seda/diagnose/trial.h"

namespace seda::diagnose {

struct ProfileOptions {
  std::filesystem::path corpus;
  size_t batches = 100;
  double step_s = 0;      ///< Time the consumer works on a batch; 0: it does not.
  bool cold = false;      ///< Measure with the page cache dropped too, before.
  bool use_cache = true;  ///< Off: raw files.
  bool compare_reference = false;
  bool benchmark = false;        ///< Try each of the next two with each.
  std::vector<int> batch_sizes;  ///< Empty: 8, 16 and 32; with a budget of frames, that alone.
  std::vector<int> workers = {4, 8, 16};
  TraceRecorder* trace = nullptr;  ///< Of the measured loader and its consumer.
  ProgressStyle progress = ProgressStyle::quiet;
};

/// What was measured with the page cache dropped.
struct ColdRun {
  Consumption run;
  double resident = 0;         ///< Share of the bytes that stayed in memory all the same.
  uint64_t warm_up_bytes = 0;  ///< Read from storage before the count began.
};

struct DataProfile {
  TextTimes text;
  AudioTimes audio;
  std::string path;         ///< Where clips came from: "cache (mapped)", …
  std::string cache_state;  ///< "built", "loaded", "none".
  feed::FeedOptions options;
  size_t clips = 0;  ///< Of the corpus.
  Consumption run;   ///< Warm, where both were measured.
  std::optional<ColdRun> cold;
  BatchTimes times;                      ///< Of `run`.
  std::optional<double> reference_rate;  ///< Clips/s of the reference loader.
  std::vector<Trial> grid;
  std::optional<Trial> recommended;
  Verdict verdict;
  std::vector<Fault> faults;

  double padding() const;  ///< Share of the frames.
};

/// Measures how a loader feeds a consumer, and judges it. Prepares the corpus first where that is
/// needed. Batch sizes to try beside a budget of frames are an Error(usage). Ctrl-C is an
/// Error(interrupted).
DataProfile profile_data(const config::Config& config, const device::Platform& platform,
                         const ProfileOptions& options);

}  // namespace seda::diagnose
