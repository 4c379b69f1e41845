// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "seda/diagnose/situation.h"

namespace seda::diagnose {

/// The figures that verdicts are made of, derived from a situation. `situation` outlives it.
class Figures {
 public:
  explicit Figures(const Situation& situation);

  bool paced() const { return situation_.step_s > 0; }
  /// Whether the consumer gets less than it could use; see `judge`.
  bool starved() const;

  double clips_per_second() const;
  /// Mean time of a batch, as if it had `kBandClips` clips.
  double band_batch_s() const;

  double busy(std::string_view stage) const;  ///< Seconds, over its workers; 0 of none such.
  /// The same for `kBandClips` clips, one after another.
  double band_s(std::string_view stage) const;
  double device_s() const;  ///< Mean time of a batch in upload, features and transfer.

  double worker_busy() const { return work_.busy_s; }  ///< In read, decode and mel, seconds.
  double worker_s() const { return worker_s_; }        ///< All time of all workers.
  double busy_share() const;                           ///< Of the workers' time.
  double blocked_out_share() const;
  /// Share of the workers' busy time in which they neither used a core nor waited for one.
  double off_core_share() const;
  /// Share of the workers' busy time in which they waited for a core.
  double core_wait_share() const;
  bool cores_idle() const;  ///< At least half a core had nothing to do.

  double padding() const;  ///< Padded frames of all frames.
  /// Share of the bytes loaded that came from storage; 0 where it is not known.
  double storage_share() const;

 private:
  const Situation& situation_;
  pipeline::StageStatistics work_;  // of all workers
  double worker_s_ = 0;
};

/// Of the bytes loaded, from storage: more of a corpus that fits into memory only while it is cold.
constexpr double kColdShare = 0.2;

/// Batches that take far longer than the rest: so many times the median, in proportion to their
/// clips where they have more than most, and so long.
constexpr double kFarLongerTimes = 10;
constexpr double kFarLongerSeconds = 0.1;
struct Tail {
  size_t batches = 0;
  double longest_s = 0;
  double median_s = 0;
  double lost_s = 0;  ///< Beyond what was to be expected of each.
};
/// `situation` has batches.
Tail tail_of(const Situation& situation);

}  // namespace seda::diagnose
