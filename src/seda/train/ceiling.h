// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "seda/feed/loader.h"
#include "seda/train/engine.h"
#include "seda/train/run_figures.h"

namespace seda::train {

/// How fast the model could learn, were batches always there.
struct Ceiling {
  double batches_per_second = 0;
  double share = 0;   ///< What a run had of it.
  double frames = 0;  ///< Of a batch, padding included, mean.
};

/// Steps with resident batches: one of each shape is taken and learned from several times, in at
/// most `most_s`, as far as the run's own times tell. Shapes weigh as they came in the run, whose
/// step times `run` has; shapes that were not met in time count on neither side. Nothing where
/// there was none. With `accumulation` batches an update, whole updates are timed.
///
/// Changes the weights: after the last checkpoint, on a state that is discarded. Asked to stop
/// between two updates: Error(interrupted).
std::optional<Ceiling> measure_ceiling(Engine& engine, feed::Loader& loader,
                                       device::StreamView stream, const FigureCounter& run,
                                       int accumulation, double most_s = 5);

/// What the run had of it, at most 1. Nothing, with the reason in the log, where none was measured
/// or where resident batches were slower than the run's: then other work shares the machine.
std::optional<double> believable_share(const std::optional<Ceiling>& ceiling);

}  // namespace seda::train
