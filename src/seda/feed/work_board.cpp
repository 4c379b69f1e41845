// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/work_board.h"

#include <algorithm>
#include <utility>

#include "seda/base/error.h"
#include "seda/feed/batch_layout.h"

namespace seda::feed {
namespace {

using pipeline::Activity;
using pipeline::ActivityScope;

std::stop_token already_stopped() {
  static const std::stop_source source = [] {
    std::stop_source made;
    made.request_stop();
    return made;
  }();
  return source.get_token();
}

}  // namespace

WorkBoard::WorkBoard(BatchRing& ring, device::StreamView stream, Sampler sampler,
                     const FeedPlan& plan, std::span<const ClipRow> rows,
                     const WorkBoardOptions& options)
    : ring_(ring),
      stream_(stream),
      sampler_(std::move(sampler)),
      plan_(plan),
      rows_(rows),
      options_(options),
      open_(ring.size()) {
  const auto most = static_cast<size_t>(largest_batch(plan.buckets));
  for (OpenBatch& batch : open_)
    batch.places.reserve(most);
  for (uint32_t place = 0; place < plan.lengths.clips.size(); ++place)
    batch_cost_ += cost(place);
  batch_cost_ /= static_cast<double>(sampler_.batches_per_epoch());
  const MutexLock lock(mutex_);
  due_.reserve(most * ring.size());
}

double WorkBoard::cost(uint32_t place) const {
  return static_cast<double>(rows_[plan_.lengths.clips[place].row].samples);
}

std::optional<WorkUnit> WorkBoard::take(const pipeline::Worker& worker,
                                        pipeline::StageRecorder& stage) {
  while (true) {
    bool wait = false;
    {
      const MutexLock lock(mutex_);
      while (due_.empty() && opening_ && !ended_ && !worker.leaving.stop_requested()) {
        const ActivityScope blocked(stage, Activity::blocked_out);
        changed_.wait(mutex_, worker.leaving);
      }
      if (ended_ || worker.leaving.stop_requested()) return std::nullopt;
      if (opening_) return pop();
      opening_ = true;
      wait = due_.empty();
    }
    auto lease = room(worker, stage, wait);
    const bool found = lease.has_value();
    if (found) open(*std::move(lease));
    const MutexLock lock(mutex_);
    opening_ = false;
    ended_ = ended_ || (wait && !found && !worker.leaving.stop_requested());
    if (found || due_.empty()) changed_.notify_all();  // only then does anyone wait
    if (!ended_ && !due_.empty()) return pop();
  }
}

std::optional<BatchRing::Filling> WorkBoard::room(const pipeline::Worker& worker,
                                                  pipeline::StageRecorder& stage, bool wait) {
  if (!wait) return ring_.acquire(stream_, already_stopped());
  const ActivityScope blocked(stage, Activity::blocked_out);
  return ring_.acquire(stream_, worker.leaving);
}

BatchPlan WorkBoard::next_plan() {
  while (true) {
    if (const auto plan = sampler_.next()) return *plan;  // nothing at the end of an epoch
  }
}

void WorkBoard::open(BatchRing::Filling lease) {
  const BatchPlan plan = next_plan();
  const size_t slot = lease.index();
  OpenBatch& open = open_[slot];
  open.places.assign(plan.clips.begin(), plan.clips.end());
  open.plan = plan;
  open.plan.clips = open.places;
  open.batch = &*lease;
  open.lease_.emplace(std::move(lease));
  open.rows_left_ = static_cast<int>(open.places.size());

  Batch& batch = *open.batch;
  batch.shape = shape_of(open.plan, plan_, options_.fixed_shapes, options_.n_mels);
  batch.arrays = batch_arrays(batch.shape, batch.memory.data());
  BatchInfo& info = batch.info;
  info.bucket = plan.bucket;
  info.epoch = plan.epoch;
  info.batch = plan.batch;
  info.step = plan.step;
  info.repeats = plan.repeats;
  info.last_of_epoch = plan.batch + 1 == sampler_.batches_per_epoch();
  info.replaced = 0;
  info.clips.clear();
  for (const uint32_t place : open.places)
    info.clips.push_back(plan_.lengths.clips[place].row);

  const MutexLock lock(mutex_);
  hand_out(slot);
}

void WorkBoard::hand_out(size_t slot) {
  const OpenBatch& batch = open_[slot];
  const auto rows = static_cast<int>(batch.places.size());
  if (options_.whole_batches) {
    push(batch, {slot, 0, rows});
  } else {
    for (int row = 0; row < rows; ++row)
      push(batch, {slot, row, 1});
  }
  ++opened_;
}

void WorkBoard::push(const OpenBatch& batch, const WorkUnit& unit) {
  const double deadline = static_cast<double>(opened_) * batch_cost_ / options_.workers;
  due_.push_back({deadline - cost(batch.places[static_cast<size_t>(unit.first)]), unit});
  std::ranges::push_heap(due_, std::greater<>(), &Due::latest);
}

WorkUnit WorkBoard::pop() {
  std::ranges::pop_heap(due_, std::greater<>(), &Due::latest);
  const WorkUnit unit = due_.back().unit;
  due_.pop_back();
  return unit;
}

bool WorkBoard::is_last(const WorkUnit& unit) {
  const MutexLock lock(mutex_);
  OpenBatch& batch = open_[unit.slot];
  batch.rows_left_ -= unit.count;
  return batch.rows_left_ == 0;
}

void WorkBoard::publish(const WorkUnit& unit) {
  OpenBatch& batch = open_[unit.slot];
  if (!batch.lease_) throw_error(ErrorKind::internal, "slot {} was published twice", unit.slot);
  BatchRing::Filling lease(*std::move(batch.lease_));
  batch.lease_.reset();  // before others may open the slot anew
  lease.publish();
}

std::optional<uint32_t> WorkBoard::replacement(const OpenBatch& batch, size_t row,
                                               uint64_t& attempt) const {
  const BatchShape& shape = batch.batch->shape;
  while (const auto place = sampler_.replacement(batch.plan, row, attempt)) {
    ++attempt;
    const ClipLength& length = plan_.lengths.clips[*place];
    if (length.tokens <= shape.tokens && length.frames <= shape.frames) return place;
  }
  return std::nullopt;
}

}  // namespace seda::feed
