// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seda/base/result.h"
#include "seda/device/stream.h"
#include "seda/feed/batch.h"
#include "seda/feed/sampler.h"
#include "seda/pipeline/slot_schedule.h"
#include "seda/pipeline/stage_statistics.h"

namespace seda::feed {

/// What one stage of a loader did.
struct LoaderStage {
  std::string name;  ///< "read", "text", "decode", "mel", "upload", "features", "transfer".
  pipeline::StageStatistics work;
  double queue_mean = 0;  ///< Batches that waited behind it, averaged over time,
  int queue_size = 0;     ///< of so many places; 0 where nothing waits there.
};

/// What a loader did since it began. Subtracting an earlier value gives what happened between.
struct LoaderStatistics {
  double seconds = 0;
  std::vector<LoaderStage> stages;  ///< In the order of the flow.
  pipeline::SlotStatistics host;    ///< Batches being gathered; empty where there are none.
  pipeline::SlotStatistics slots;   ///< Batches on the model device.
  uint64_t batches = 0;             ///< Given out.
  uint64_t clips = 0;
  uint64_t replaced = 0;
  int64_t real_frames = 0;
  int64_t frames = 0;  ///< With padding.
  double wait_s = 0;   ///< `next` waited for a batch.
  int workers = 0;     ///< Now.

  LoaderStatistics since(const LoaderStatistics& earlier) const;
};

/// Gives the batches of a corpus, in the order of its sampler, epoch after epoch.
///
/// One thread calls `next`. A batch is a view of a slot: while all slots are held, `next` waits.
class Loader {
 public:
  virtual ~Loader() = default;

  /// The next batch, for work on `stream`, which is of the model device; nothing once at the end of
  /// each epoch, after which the next begins. Never copies; waits only where no batch is ready.
  /// Throws what stopped the loader, with the stage's name; too many bad clips are an
  /// Error(check_failed), a requested Ctrl-C is an Error(interrupted).
  virtual std::optional<BatchLease> next(device::StreamView stream) = 0;

  /// Of the batch that `next` gives next: what a checkpoint keeps.
  virtual SamplerState state() const = 0;

  virtual size_t batches_per_epoch() const = 0;
  virtual std::span<const Bucket> buckets() const = 0;
  virtual LoaderStatistics statistics() const = 0;
  /// Bad clips met so far, each once.
  virtual std::vector<Fault> faults() const = 0;
  /// Changes the number of threads that gather, at least one; where there are none to change,
  /// nothing happens.
  virtual void set_workers(int workers) = 0;

  /// Ends its threads, and waits until each has done the clip at hand; not during `next`, which may
  /// not be called after. Batches that were given out stay good.
  virtual void stop() = 0;
};

}  // namespace seda::feed
