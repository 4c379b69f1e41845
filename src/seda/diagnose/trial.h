// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/device/platform.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/open_clips.h"

namespace seda::diagnose {

/// Settings of a loader that can be tried.
struct TrialSettings {
  int workers = 0;  ///< 0 and below: chosen, as in the configuration.
  int batch_size = 16;
  int prefetch = 0;
  int slots = 3;
  int batch_frames = 0;  ///< Where not 0, what batches are measured by; trials leave it.

  bool operator==(const TrialSettings&) const = default;
};
Json to_json(const TrialSettings& settings);
std::string to_string(const TrialSettings& settings);  ///< "4 workers, batch 16, …"

/// What one short run showed.
struct TrialRun {
  double clips_per_second = 0;
  double stall = 0;
  double batch_s = 0;  ///< Mean.
  /// Of batch times; the robust one.
  std::optional<double> variation{};  // NOLINT: g++ wants it where others are named
  double idle_cores = 0;              ///< That nobody used.
  double real_share = 1;              ///< Of the frames: the rest is padding.
};

/// Settings and what repeated runs of them showed.
struct Trial {
  TrialSettings settings;
  std::vector<TrialRun> runs;

  // Medians of the runs; 0 of none.
  double clips_per_second() const;
  double stall() const;
  double batch_s() const;
  std::optional<double> variation() const;  ///< Nothing where no run has one.
  double idle_cores() const;
};

/// How far runs of the same settings lie apart: half of the range of all.
double spread(const Trial& trial, double TrialRun::* figure);

/// Those of the options.
TrialSettings trial_settings(const feed::FeedOptions& options);

/// Runs a loader with those settings for a moment.
using RunTrial = std::function<TrialRun(const TrialSettings&)>;

/// Feeds an epoch, or as much of it as `most_s` allow, so that storage is not held against whoever
/// is tried first. `platform` outlives it.
void warm_up(const feed::OpenedClips& clips, const feed::FeedOptions& options,
             const device::Platform& platform, double most_s);

/// Runs of at most `seconds` (a little more where one batch takes longer), a third of it to warm
/// up, at `step_s` a step. The page cache is left as it is. `platform` outlives it.
RunTrial trial_runner(const feed::OpenedClips& clips, const feed::FeedOptions& options,
                      const device::Platform& platform, double step_s, double seconds);

/// Adds `repeats` runs to each trial, in an order shuffled anew for each round, so that what the
/// machine does meanwhile meets all alike. `after_run`, if any, is called after each.
void run_interleaved(std::span<Trial> trials, int repeats, const RunTrial& run,
                     const std::function<void()>& after_run = {});

/// A trial counts as good as the best from this share of its rate on.
constexpr double kGoodShare = 0.98;

/// A trial counts as keeping up with a step up to this stall.
constexpr double kNoStall = 0.01;

/// The cheapest of those that are as good as the best; where some keep up with a step of `step_s`,
/// the cheapest of these. Numbers that the loader chooses cost least: it takes what it needs. Null
/// of none.
const Trial* cheapest_good(std::span<const Trial> trials, double step_s = 0);

/// The one with the highest rate; null of none.
const Trial* fastest(std::span<const Trial> trials);

}  // namespace seda::diagnose
