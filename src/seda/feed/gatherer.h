// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "seda/audio/mel_cpu.h"
#include "seda/base/clock.h"
#include "seda/base/mutex.h"
#include "seda/base/trace.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/fault_log.h"
#include "seda/feed/loader.h"
#include "seda/feed/resident_source.h"
#include "seda/feed/row_writer.h"
#include "seda/feed/stage_walk.h"
#include "seda/feed/work_board.h"
#include "seda/pipeline/worker_pool.h"

namespace seda::feed {

/// What the slots of the host are filled with.
enum class SlotContent {
  finished,  ///< The padded batch: the data role is the CPU's.
  packed,    ///< Clips as they are; the data device does the rest.
  rows,      ///< Only where they lie in the resident corpus.
};

struct GatherParts {
  const ClipSource& source;
  const FeedPlan& plan;
  const ResidentCorpus* resident = nullptr;  ///< With SlotContent::rows.
  SlotContent content = SlotContent::finished;
  TraceRecorder* trace = nullptr;
  bool heeds_interrupt = true;
};

/// The work of a loader's threads: brings clips into the rows of batches, and other clips in place
/// of bad ones.
///
/// `work` is the body of a WorkerPool. Allocates nothing once a worker has had its first clips,
/// but for faults.
class Gatherer {
 public:
  /// All that is named outlives it.
  Gatherer(const GatherParts& parts, WorkBoard& board, FaultLog& faults, const Clock& clock);

  /// One unit; false once there is no more.
  bool work(pipeline::Worker& worker);

  /// "read", "decode" and "mel", where there are such.
  std::vector<LoaderStage> stages() const;

 private:
  /// What a worker keeps from clip to clip.
  struct Hands {
    std::unique_ptr<ClipReader> reader;
    std::unique_ptr<PaddedRowWriter> writer;  // where batches are finished here
  };

  /// Of each row of a batch in its slot.
  struct HostLengths {
    std::span<const int32_t> frames;
    std::span<const int32_t> tokens;
  };

  Hands& hands(int worker);
  void fill_row(Hands& hands, OpenBatch& open, int row);
  std::optional<Fault> try_clip(Hands& hands, OpenBatch& open, int row, uint32_t place);
  std::optional<Fault> gather(Hands& hands, const Row& row, uint32_t clip);
  std::optional<Fault> point(const Row& row, uint32_t clip);
  PackedShape packed(const BatchShape& shape) const;
  void write(Hands& hands, StageWalk& walk, const ClipContent& content, const Row& row);
  void finish(const OpenBatch& open) const;
  HostLengths host_lengths(const Batch& batch) const;

  GatherParts parts_;
  WorkBoard& board_;
  FaultLog& faults_;
  std::optional<audio::MelCpu> mel_;  // where batches are finished here
  CountedStage read_;
  CountedStage decode_;
  CountedStage make_mel_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Hands>> hands_ SEDA_GUARDED_BY(mutex_);  // by a worker's index
};

}  // namespace seda::feed
