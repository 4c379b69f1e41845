// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/mutex.h"
#include "seda/base/trace.h"
#include "seda/device/platform.h"
#include "seda/feed/device_feeder.h"
#include "seda/feed/fault_log.h"
#include "seda/feed/feed_plan.h"
#include "seda/feed/gatherer.h"
#include "seda/feed/loader.h"
#include "seda/feed/memory_plan.h"
#include "seda/feed/role_memory.h"
#include "seda/feed/work_board.h"
#include "seda/feed/worker_control.h"
#include "seda/pipeline/worker_pool.h"

namespace seda::feed {

/// Batches on the model device before they are asked for.
///
///     source ─ gatherers ─▶ host slots ─ feeder ─▶ data device ─▶ model slots ─ next
///
/// Worker threads gather clips into slots of the host, page-locked where they are uploaded. One
/// more thread, the feeder, enqueues what the devices do with them (`DeviceFeeder`); with both
/// roles on the CPU there is none, and the host's slots are the model's. All memory is taken at the
/// start; once every slot has turned, nothing is allocated but the plan of each new epoch, and no
/// stream is waited for.
class NativeLoader final : public Loader {
 public:
  /// `platform` and `trace`, which may be null, outlive it. Starts at once.
  NativeLoader(std::shared_ptr<const ClipSource> source, const FeedOptions& options,
               const device::Platform& platform, TraceRecorder* trace = nullptr);
  ~NativeLoader() override;

  std::optional<BatchLease> next(device::StreamView stream) override;
  SamplerState state() const override;
  size_t batches_per_epoch() const override { return batches_per_epoch_; }
  std::span<const Bucket> buckets() const override { return plan_.buckets; }
  LoaderStatistics statistics() const override;
  std::vector<Fault> faults() const override { return faults_.faults(); }
  void set_workers(int workers) override { gather_->resize(workers); }
  void stop() override;

  const FeedPlan& plan() const noexcept { return plan_; }
  const MemoryPlan& memory() const noexcept { return memory_; }
  int host_slots() const noexcept { return static_cast<int>(host_ring_->size()); }
  /// On the model device.
  int slots() const noexcept { return static_cast<int>(ring().size()); }
  int workers() const { return gather_->size(); }

 private:
  void load_corpus();
  void make_host_ring();
  void make_model_ring();
  void make_feeder(TraceRecorder* trace);
  void start(TraceRecorder* trace);
  bool ends_epoch();
  void wait_watchfully();
  void count(const Batch& batch, double waited_s);
  BatchRing& ring() const { return model_ring_ ? *model_ring_ : *host_ring_; }
  SlotContent slot_content() const;
  int worker_count() const;

  std::shared_ptr<const ClipSource> source_;
  FeedOptions options_;
  const device::Platform& platform_;
  SteadyClock clock_;
  int64_t start_ns_;
  FeedPlan plan_;
  FaultLog faults_;
  size_t batches_per_epoch_ = 0;
  MemoryNeeds needs_;
  MemoryPlan memory_;
  mutable Mutex mutex_;
  SamplerState state_ SEDA_GUARDED_BY(mutex_);
  LoaderStatistics given_ SEDA_GUARDED_BY(mutex_);  // what `next` counts

  RoleMemory resources_;
  std::optional<FeedStreams> streams_;  // none where all is on the CPU
  std::optional<device::Stream> consumer_;
  std::unique_ptr<ResidentCorpus> resident_;  // none where clips are gathered one by one
  std::unique_ptr<BatchRing> host_ring_;
  std::unique_ptr<BatchRing> model_ring_;
  std::unique_ptr<WorkBoard> board_;
  std::unique_ptr<Gatherer> gatherer_;
  std::unique_ptr<DeviceFeeder> feeder_;
  std::unique_ptr<WorkerControl> control_;
  std::unique_ptr<pipeline::WorkerPool> gather_;
  std::unique_ptr<pipeline::WorkerPool> feed_;  // none where `next` does its work
};

}  // namespace seda::feed
