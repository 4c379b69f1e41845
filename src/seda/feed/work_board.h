// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/feed/batch.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/sampler.h"
#include "seda/pipeline/worker_pool.h"

namespace seda::feed {

/// A batch that is being gathered.
struct OpenBatch {
  BatchPlan plan;                ///< Its clips are `places`.
  std::vector<uint32_t> places;  ///< Among the lengths.  // [batch]
  Batch* batch = nullptr;        ///< In its slot: shape, memory, and info without what is fed.

 private:
  friend class WorkBoard;
  std::optional<BatchRing::Filling> lease_;
  int rows_left_ = 0;
};

/// Some rows of a batch, for one worker.
struct WorkUnit {
  size_t slot = 0;
  int first = 0;
  int count = 0;
};

struct WorkBoardOptions {
  bool fixed_shapes = true;
  bool whole_batches = false;  ///< A batch is one unit: for rows that cost next to nothing.
  int workers = 1;             ///< That are expected, for the order of work.
  int n_mels = 80;
};

/// Hands out the clips of the batches to come, and hands on the batches that are complete.
///
/// A window of batches, as many as the ring has slots, is open at a time. Their clips are handed
/// out by least slack: what must be done soonest less what it takes, so that a very long clip is
/// begun before its batch is due and no one waits for it. Batches keep their order, since the ring
/// does. There is no thread of its own: whoever finds room opens the next batch, and whoever ends a
/// batch's last row publishes it. Allocates nothing once each slot was used.
///
/// Thread-safe.
class WorkBoard {
 public:
  /// `ring` and `plan` outlive it; `stream` is of the CPU.
  WorkBoard(BatchRing& ring, device::StreamView stream, Sampler sampler, const FeedPlan& plan,
            std::span<const ClipRow> rows, const WorkBoardOptions& options);

  /// What to do next. Waits for room downstream, which counts as blocked on output; nothing once
  /// the ring has ended or the worker is to leave.
  std::optional<WorkUnit> take(const pipeline::Worker& worker, pipeline::StageRecorder& stage);

  /// The batch of a unit that was taken.
  OpenBatch& batch(const WorkUnit& unit) { return open_[unit.slot]; }

  /// The unit's rows are written. Whoever brings the last is told true before the batch is
  /// published by `publish`.
  bool is_last(const WorkUnit& unit);
  void publish(const WorkUnit& unit);

  /// The clip that stands in for a bad one and fits the batch's shape: see Sampler::replacement.
  /// `attempt` is where to go on, and is moved behind what was found.
  std::optional<uint32_t> replacement(const OpenBatch& batch, size_t row, uint64_t& attempt) const;

 private:
  struct Due {
    double latest = 0;  // when it must be begun, in samples of all workers together
    WorkUnit unit;
  };

  std::optional<BatchRing::Filling> room(const pipeline::Worker& worker,
                                         pipeline::StageRecorder& stage, bool wait);
  void open(BatchRing::Filling lease);
  BatchPlan next_plan();
  void hand_out(size_t slot) SEDA_REQUIRES(mutex_);
  void push(const OpenBatch& batch, const WorkUnit& unit) SEDA_REQUIRES(mutex_);
  WorkUnit pop() SEDA_REQUIRES(mutex_);
  double cost(uint32_t place) const;

  BatchRing& ring_;
  device::StreamView stream_;
  Sampler sampler_;  // of whoever opens
  const FeedPlan& plan_;
  std::span<const ClipRow> rows_;
  WorkBoardOptions options_;
  double batch_cost_ = 0;
  std::vector<OpenBatch> open_;  // by slot; of whoever opens, then of those with its units
  Mutex mutex_;
  Condition changed_;
  std::vector<Due> due_ SEDA_GUARDED_BY(mutex_);  // a heap
  uint64_t opened_ SEDA_GUARDED_BY(mutex_) = 0;
  bool opening_ SEDA_GUARDED_BY(mutex_) = false;
  bool ended_ SEDA_GUARDED_BY(mutex_) = false;
};

}  // namespace seda::feed
