// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/pipeline/stage_statistics.h"

namespace seda::pipeline {

/// What one stage did in an interval, as shares of time.
struct StageSample {
  int workers = 1;
  double busy_share = 0;         ///< Of its workers' time.
  double blocked_out_share = 0;  ///< Of its workers' time.
  double starved_share = 0;      ///< Of the interval, that its consumer waited for it.
};

/// The sample of an interval of `seconds` in which a stage of `workers` (`WorkerPool::size`: those
/// that are leaving do not count) did `between` and its consumers waited `starved_s` for it
/// (`SlotStatistics::ready_wait_s`).
StageSample make_sample(int workers, const StageStatistics& between, double starved_s,
                        double seconds);

struct ControllerOptions {
  int min_workers = 1;
  int max_workers = 1;
  double busy_to_grow = 0.85;          ///< Grows from here on, if also
  double starved_to_grow = 0.05;       ///< its consumer waited this long.
  double blocked_out_to_shrink = 0.5;  ///< Shrinks from here on, if also
  double busy_after_shrink = 0.7;      ///< the others would then be no busier than this.
  int patience = 3;                    ///< Samples in a row that must agree before it acts.

  bool operator==(const ControllerOptions&) const = default;
};

/// Error(internal) for bounds in the wrong order, or shares that would undo each other.
void check(const ControllerOptions& options);

enum class Tendency { hold, grow, shrink };

/// What a controller remembers.
struct ControllerState {
  ControllerOptions options;
  Tendency tendency = Tendency::hold;     ///< Of the last sample.
  int agreeing = 0;                       ///< Samples in a row that said so.
  Tendency last_change = Tendency::hold;  ///< What it did last.
  int reversals = 0;                      ///< Times it undid what it had done.
};

/// How many workers the stage should have after `sample`: one more, one fewer, or as many, within
/// bounds.
///
/// One more where its workers are busy and its consumer still waits: only more hands help. One
/// fewer where they mostly wait for room and fewer could do the work. Each reversal doubles the
/// samples that must agree before the next change, so that a stage which behaves against this model
/// changes ever more rarely (docs/decisions/pipeline.md). A function of its arguments alone.
int decide(const ControllerState& state, const StageSample& sample);

/// What to remember after `sample`.
ControllerState advance(const ControllerState& state, const StageSample& sample);

/// `decide` with its memory, for one stage and one thread.
class Controller {
 public:
  explicit Controller(const ControllerOptions& options) : state_{.options = options} {
    check(options);
  }

  /// How many workers the stage should have from now on.
  int update(const StageSample& sample);

  const ControllerState& state() const noexcept { return state_; }

 private:
  ControllerState state_;
};

}  // namespace seda::pipeline
