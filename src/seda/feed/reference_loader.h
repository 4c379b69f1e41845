// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/feed/fault_log.h"
#include "seda/feed/feed_options.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/loader.h"
#include "seda/feed/reference_clips.h"

namespace seda::feed {

/// The plain way to feed: `next` makes the batch it gives, clip by clip in the calling thread, from
/// the files of the corpus, and copies it to the model device.
///
/// Slow, and simple enough to believe: the native loader must give the same batches. Order, shapes
/// and replacements are those of `FeedPlan` and `Sampler`; nothing else is shared. Two slots; the
/// data role and the keys about threads and buffers have no meaning here.
class ReferenceLoader final : public Loader {
 public:
  /// `corpus` is where the clips of `source` come from and how they are prepared. `platform`
  /// outlives it.
  ReferenceLoader(std::shared_ptr<const ClipSource> source, const PrepareOptions& corpus,
                  const FeedOptions& options, const device::Platform& platform);

  std::optional<BatchLease> next(device::StreamView stream) override;
  SamplerState state() const override { return sampler_.state(); }
  size_t batches_per_epoch() const override { return sampler_.batches_per_epoch(); }
  std::span<const Bucket> buckets() const override { return plan_.buckets; }
  LoaderStatistics statistics() const override;
  std::vector<Fault> faults() const override { return faults_.faults(); }
  void set_workers(int /*workers*/) override {}
  void stop() override {}

  const FeedPlan& plan() const noexcept { return plan_; }

 private:
  void describe(const BatchPlan& plan, Batch& batch) const;
  void fill(const BatchPlan& plan, Batch& batch);
  void fill_row(const BatchPlan& plan, size_t row, Batch& batch);
  ReferenceClip read_or_replace(const BatchPlan& plan, size_t row, uint32_t& place);
  std::optional<uint32_t> stand_in(const BatchPlan& plan, size_t row, const BatchShape& shape,
                                   uint64_t& attempt) const;
  void send(const Batch& batch);
  void count(const Batch& batch, double seconds);

  std::shared_ptr<const ClipSource> source_;
  FeedOptions options_;
  FeedPlan plan_;
  Sampler sampler_;
  SteadyClock clock_;
  int64_t start_ns_;
  ReferenceClips clips_;
  FaultLog faults_;
  pipeline::StageRecorder transfer_;
  std::vector<std::byte> host_;  // the batch while it is made
  device::PlainResource memory_;
  device::Stream stream_;
  BatchRing ring_;
  LoaderStatistics given_;
};

}  // namespace seda::feed
