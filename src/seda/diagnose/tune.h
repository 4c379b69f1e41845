// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "seda/base/clock.h"
#include "seda/diagnose/trial.h"

namespace seda::diagnose {

struct TuneOptions {
  TrialSettings current;         ///< What is tuned; the rest of it stays.
  int cores = 1;                 ///< This process may use.
  double step_s = 0;             ///< Time of a training step; 0: as fast as possible.
  std::vector<int> batch_sizes;  ///< To choose from; empty: the current one stays. Empty too where
                                 ///< `current` measures batches by frames.
  bool grid = false;             ///< Also try everything, to know the true best.
  int repeats = 3;
  double most_s = 50;  ///< No new trial begins after so long.
};

struct TuneReport {
  std::vector<Trial> trials;  ///< The current settings first.
  Trial chosen;
  double best_share = 1;  ///< Rate of the chosen over that of the best trial.
  double seconds = 0;
};

/// Finds the cheapest good settings by measuring few points.
///
/// Workers first: one and as many as cores tell the knee of min(workers · rate, ceiling); its
/// neighbourhood is measured, and more than cores where cores were left idle. Where `current`
/// leaves their number to the loader, that is the trial of as many as cores. Then, with these, how
/// many batches lie ready. All trials of a round are interleaved and repeated, and medians decide:
/// on a machine that others use, threads that only wait for a core bring nothing and are not
/// chosen. `clock` ends it in time. Throws what `run` throws.
TuneReport tune(const TuneOptions& options, const RunTrial& run, const Clock& clock);

/// Numbers of workers worth measuring, ascending, from the rates of one and of `cores` workers.
std::vector<int> workers_near_knee(double rate_of_one, double rate_of_all, int cores);

}  // namespace seda::diagnose
