// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/native_loader.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/feed/memory_needs.h"

namespace seda::feed {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

}  // namespace

NativeLoader::NativeLoader(std::shared_ptr<const ClipSource> source, const FeedOptions& options,
                           const device::Platform& platform, TraceRecorder* trace)
    : source_(std::move(source)),
      options_(options),
      platform_(platform),
      start_ns_(clock_.now_ns()),
      plan_(plan_feed(source_->rows(), source_->mel(), options)),
      faults_(plan_.lengths.clips.size(), options.max_fault_share),
      state_(options.start),
      resources_(options, platform) {
  options_ = with_prefetch(options_, plan_);
  needs_ = memory_needs(*source_, plan_, options_);
  memory_ = plan_memory(needs_, options_, platform_);
  if (options_.roles.data.is_cuda() || options_.roles.model.is_cuda()) {
    streams_.emplace(platform_, options_);
  }
  if (memory_.resident) load_corpus();
  make_host_ring();
  make_model_ring();
  make_feeder(trace);
  start(trace);
}

NativeLoader::~NativeLoader() = default;

void NativeLoader::load_corpus() {
  const device::StreamView stream =
      streams_ ? streams_->upload() : platform_.default_stream(device::kCpu);
  resident_ = std::make_unique<ResidentCorpus>(
      *source_, plan_.lengths.clips, ResidentOptions{.threads = options_.workers},
      ResidentMemory{resources_.data(), resources_.host(), stream});
  if (options_.roles.data.is_cpu()) {
    source_ = std::make_shared<ResidentSource>(source_, *resident_);
  }
}

/// One says where the clips of a resident corpus lie faster than others could help.
int NativeLoader::worker_count() const {
  if (slot_content() == SlotContent::rows) return 1;
  return gathering_threads(options_);
}

SlotContent NativeLoader::slot_content() const {
  if (options_.roles.data.is_cpu()) return SlotContent::finished;
  return memory_.resident ? SlotContent::rows : SlotContent::packed;
}

void NativeLoader::make_host_ring() {
  const device::StreamView host = platform_.default_stream(device::kCpu);
  host_ring_ = std::make_unique<BatchRing>(
      make_batches(needs_.host_slots, memory_.host_slot_bytes, largest_batch(plan_.buckets),
                   resources_.host(), host),
      host, streams_ ? streams_->upload() : host, clock_);
}

void NativeLoader::make_model_ring() {
  if (!streams_) return;
  consumer_.emplace(platform_, options_.roles.model);
  model_ring_ = std::make_unique<BatchRing>(
      make_batches(memory_.model_slots, needs_.model_slot_bytes, largest_batch(plan_.buckets),
                   resources_.model(), consumer_->view()),
      streams_->last(), consumer_->view(), clock_);
}

void NativeLoader::make_feeder(TraceRecorder* trace) {
  if (!streams_) return;
  feeder_ = std::make_unique<DeviceFeeder>(FeederParts{.platform = platform_,
                                                       .options = options_,
                                                       .streams = *streams_,
                                                       .kind = source_->kind(),
                                                       .mel = source_->mel(),
                                                       .data_slots = needs_.data_slots,
                                                       .clips = largest_batch(plan_.buckets),
                                                       .input_bytes = memory_.input_bytes,
                                                       .output_bytes = needs_.output_bytes,
                                                       .data_memory = &resources_.data(),
                                                       .resident = resident_.get(),
                                                       .trace = trace},
                                           *host_ring_, *model_ring_, clock_);
}

void NativeLoader::start(TraceRecorder* trace) {
  const int workers = worker_count();
  Sampler sampler = make_sampler(plan_, options_);
  batches_per_epoch_ = sampler.batches_per_epoch();
  board_ = std::make_unique<WorkBoard>(
      *host_ring_, platform_.default_stream(device::kCpu), std::move(sampler), plan_,
      source_->rows(),
      WorkBoardOptions{.fixed_shapes = options_.fixed_shapes,
                       .whole_batches = slot_content() == SlotContent::rows,
                       .workers = workers,
                       .n_mels = source_->mel().n_mels});
  gatherer_ = std::make_unique<Gatherer>(GatherParts{.source = *source_,
                                                     .plan = plan_,
                                                     .resident = resident_.get(),
                                                     .content = slot_content(),
                                                     .trace = trace,
                                                     .heeds_interrupt = options_.heeds_interrupt},
                                         *board_, faults_, clock_);
  const auto end_ring = [](BatchRing& ring, const std::exception_ptr& error) {
    error ? ring.fail(error) : ring.close();
  };
  gather_ = std::make_unique<pipeline::WorkerPool>(
      pipeline::WorkerPoolOptions{.name = "gather",
                                  .workers = workers,
                                  .when_done =
                                      [this, end_ring](const std::exception_ptr& error) {
                                        if (model_ring_ && error) model_ring_->fail(error);
                                        end_ring(*host_ring_, error);
                                      }},
      clock_, [this](pipeline::Worker& worker) { return gatherer_->work(worker); });
  if (options_.workers == 0) control_ = std::make_unique<WorkerControl>(*gather_, workers);
  if (!feeder_ || !options_.prefetch_to_gpu) return;
  feed_ = std::make_unique<pipeline::WorkerPool>(
      pipeline::WorkerPoolOptions{
          .name = "feed",
          .workers = 1,
          .when_done =
              [this, end_ring](const std::exception_ptr& error) { end_ring(*model_ring_, error); }},
      clock_, [this](pipeline::Worker& worker) { return feeder_->turn(worker.leaving); });
}

void NativeLoader::stop() {
  if (feed_) feed_->stop();
  gather_->stop();
  if (feed_) feed_->wait();
  gather_->wait();
}

bool NativeLoader::ends_epoch() {
  const MutexLock lock(mutex_);
  if (state_.batch < batches_per_epoch_) return false;
  state_ = {state_.epoch + 1, 0};
  return true;
}

/// Until there is a batch, or one to turn into one, with looks at who may want to stop waiting: the
/// last when it is there, since a wish that came after would meet a batch that is taken.
void NativeLoader::wait_watchfully() {
  if (!options_.while_waiting) return;
  BatchRing& awaited = feeder_ && !feed_ ? *host_ring_ : ring();
  bool is_there = awaited.await_next({});
  while (!is_there) {
    is_there = awaited.await_next(kBetweenLooks);
    options_.while_waiting();
  }
}

std::optional<BatchLease> NativeLoader::next(device::StreamView stream) {
  if (options_.heeds_interrupt) throw_if_interrupted();
  if (ends_epoch()) return std::nullopt;
  const int64_t before = clock_.now_ns();
  wait_watchfully();
  if (feeder_ && !feed_) feeder_->turn({});
  auto lease = ring().next(stream);
  if (!lease) throw_error(ErrorKind::internal, "the loader ended without a batch or an error");
  const int64_t now = clock_.now_ns();
  count(**lease, static_cast<double>(now - before) * 1e-9);
  const double seconds = static_cast<double>(now - start_ns_) * 1e-9;
  if (control_ && control_->is_due(seconds)) control_->update(statistics());
  return lease;
}

void NativeLoader::count(const Batch& batch, double waited_s) {
  const BatchInfo& info = batch.info;
  const MutexLock lock(mutex_);
  state_ = {info.epoch, info.batch + 1};
  ++given_.batches;
  given_.clips += info.clips.size();
  given_.replaced += info.replaced;
  given_.real_frames += info.real_frames;
  given_.frames += int64_t{batch.shape.batch} * batch.shape.frames;
  given_.wait_s += waited_s;
}

SamplerState NativeLoader::state() const {
  const MutexLock lock(mutex_);
  return state_;
}

LoaderStatistics NativeLoader::statistics() const {
  LoaderStatistics out;
  {
    const MutexLock lock(mutex_);
    out = given_;
  }
  out.seconds = static_cast<double>(clock_.now_ns() - start_ns_) * 1e-9;
  out.workers = gather_->size();
  out.host = host_ring_->statistics();
  out.slots = ring().statistics();
  out.stages = gatherer_->stages();
  const auto queue_behind = [&](LoaderStage& stage, const pipeline::SlotStatistics& ring) {
    stage.queue_size = ring.total();
    stage.queue_mean = ring.dwell(pipeline::SlotState::ready) / out.seconds;
  };
  queue_behind(out.stages.back(), out.host);
  if (!feeder_) return out;
  std::vector<LoaderStage> on_device = feeder_->stages();
  on_device.front().work.blocked_in_s = out.host.ready_wait_s;
  on_device.back().work.blocked_out_s = out.slots.free_wait_s;
  queue_behind(on_device.back(), out.slots);
  std::ranges::move(on_device, std::back_inserter(out.stages));
  return out;
}

}  // namespace seda::feed
