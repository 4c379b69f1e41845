// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "seda/base/trace.h"
#include "seda/device/platform.h"
#include "seda/diagnose/batch_times.h"
#include "seda/diagnose/situation.h"
#include "seda/feed/loader.h"

namespace seda::diagnose {

/// A stand-in for a trainer.
struct ConsumerOptions {
  /// Batches before the measurement; fewer where they take longer than `most_warm_up_s`.
  size_t warm_up = 0;
  double most_warm_up_s = std::numeric_limits<double>::infinity();
  /// Batches of the measurement, at least 1; fewer where they take longer than `most_s`.
  size_t batches = 100;
  double most_s = std::numeric_limits<double>::infinity();
  double step_s = 0;  ///< Time it works on each; 0: it gives each back at once.
  TraceRecorder* trace = nullptr;
  /// Called on the same thread; for progress.
  std::function<void()> after_batch{};  // NOLINT: g++ wants it where others are named
};

/// What a consumer met.
struct Consumption {
  std::vector<BatchTime> batches;  ///< From the start of the one before to its own.
  std::vector<double> waits_s;     ///< Its stream, free, waited for each.
  double seconds = 0;
  feed::LoaderStatistics loader;  ///< Of that time.
  MachineUse machine;

  double clips_per_second() const;
  double clips_per_batch() const;  ///< Mean of those fed; 0 of none.
  double stall() const;            ///< Share of the time in which the stream waited.
  double mean_wait_s() const;
  double mean_batch_s() const;  ///< Of the time, whatever each batch took.
};

/// Takes batches as a trainer would, with work of `step_s` on a stream of `model`.
///
/// Waits are measured by events on that stream. The host runs at most two steps ahead and waits for
/// events alone. Throws what the loader throws; Ctrl-C is an Error(interrupted).
Consumption consume(feed::Loader& loader, const device::Platform& platform, device::Device model,
                    const ConsumerOptions& options);

}  // namespace seda::diagnose
