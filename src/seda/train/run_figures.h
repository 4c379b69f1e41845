// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "seda/diagnose/batch_times.h"
#include "seda/diagnose/step_times.h"

namespace seda::train {

/// How fast a run is; docs/metrics.md has the words.
struct RunFigures {
  double seconds = 0;  ///< Of training alone: neither validation nor checkpoints.
  uint64_t batches = 0;
  double batches_per_second = 0;
  double clips_per_second = 0;
  double frames_per_second = 0;      ///< Real ones.
  double stall = 0;                  ///< Share of the time in which the model waited for a batch.
  double padding = 0;                ///< Padded frames of all.
  std::optional<double> flop_share;  ///< Of what the GPU could multiply; unknown on others.
};

/// Adds up what batches took, for a stretch of a run and for the whole.
///
/// Steps whose time is not known (the first, and the first after a pause) count for nothing.
class FigureCounter {
 public:
  struct Frames {
    int64_t real = 0;
    int64_t all = 0;
  };

  void add(const diagnose::BatchTime& time, double wait_s, const Frames& frames);

  RunFigures figures() const;
  /// Variation and rhythm of the last steps, at most 4096.
  diagnose::BatchTimes times() const;
  /// Those steps, in their order.
  std::vector<diagnose::BatchTime> last() const;
  /// How long the model waited in each of those, in no order.
  const std::vector<double>& last_waits() const noexcept { return last_waits_; }
  /// Mean seconds of a step of each bucket, and how many there were.
  struct BucketTime {
    double seconds = 0;
    uint64_t batches = 0;
  };
  const std::map<uint32_t, BucketTime>& buckets() const noexcept { return buckets_; }

 private:
  double seconds_ = 0;
  double wait_s_ = 0;
  uint64_t batches_ = 0;
  uint64_t clips_ = 0;
  int64_t real_frames_ = 0;
  int64_t frames_ = 0;
  std::vector<diagnose::BatchTime> last_;  // a ring
  std::vector<double> last_waits_;         // likewise
  std::map<uint32_t, BucketTime> buckets_;
};

}  // namespace seda::train
