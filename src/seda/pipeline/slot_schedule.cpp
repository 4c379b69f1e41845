// SPDX-License-Identifier: Apache-2.0
#include "seda/pipeline/slot_schedule.h"

#include <algorithm>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/log.h"

namespace seda::pipeline {
namespace {

size_t index_of(SlotState state) {
  return static_cast<size_t>(state);
}

double to_seconds(int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

size_t take_first(std::vector<size_t>& slots) {
  const size_t first = slots.front();
  slots.erase(slots.begin());
  return first;
}

}  // namespace

SlotSchedule::SlotSchedule(size_t slots, device::StreamView producer, device::StreamView consumer,
                           const Clock& clock)
    : clock_(clock) {
  if (slots < 2) throw_error(ErrorKind::internal, "a ring needs at least 2 slots, not {}", slots);
  slots_.reserve(slots);
  free_.reserve(slots);
  line_.reserve(slots);
  for (size_t slot = 0; slot < slots; ++slot) {
    slots_.push_back({.filled = device::Event(producer), .released = device::Event(consumer)});
    slots_.back().since_ns = clock.now_ns();
    free_.push_back(slot);
  }
}

SlotSchedule::~SlotSchedule() {
  for (const Slot& slot : slots_) {
    try {
      slot.filled.synchronize();
      slot.released.synchronize();
    } catch (const std::exception& error) {
      log::error("while closing a ring of slots: {}", error.what());
    }
  }
}

std::optional<size_t> SlotSchedule::acquire(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  if (free_.empty() && !closed_) wait_for_free(stop);
  if (free_.empty() || closed_) return std::nullopt;
  const size_t slot = take_first(free_);
  line_.push_back(slot);
  move(slot, SlotState::filling);
  return slot;
}

void SlotSchedule::follow_last_use(size_t slot, device::StreamView stream) {
  stream.wait(slots_[slot].released);
  if (slots_[slot].torn) stream.wait(slots_[slot].filled);
}

void SlotSchedule::publish(size_t slot, device::StreamView stream) {
  slots_[slot].filled.record(stream);
  const MutexLock lock(mutex_);
  if (error_) {
    drop(slot);
    return;
  }
  slots_[slot].torn = false;
  ++published_;
  move(slot, SlotState::ready);
  became_ready_.notify_all();
}

std::optional<size_t> SlotSchedule::next(const std::stop_token& stop) {
  const MutexLock lock(mutex_);
  if (!is_front_ready() && !is_drained()) wait_for_ready(stop);
  if (error_) std::rethrow_exception(error_);
  if (!is_front_ready()) return std::nullopt;
  const size_t slot = take_first(line_);
  ++taken_;
  move(slot, SlotState::in_use);
  if (is_front_ready() || is_drained()) became_ready_.notify_all();
  return slot;
}

bool SlotSchedule::await_next(std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  const MutexLock lock(mutex_);
  if (is_front_ready() || is_drained()) return true;
  pass_time(ready_waits_);
  ++ready_waits_.count;
  ++ready_waits_.waiting;
  for (auto now = end - most; now < end && !is_front_ready() && !is_drained();
       now = std::chrono::steady_clock::now()) {
    became_ready_.wait_for(mutex_, end - now);
  }
  pass_time(ready_waits_);
  --ready_waits_.waiting;
  return is_front_ready() || is_drained();
}

void SlotSchedule::follow_filling(size_t slot, device::StreamView stream) {
  stream.wait(slots_[slot].filled);
}

void SlotSchedule::release(size_t slot, device::StreamView stream) {
  slots_[slot].released.record(stream);
  const MutexLock lock(mutex_);
  make_free(slot);
}

void SlotSchedule::give_back(size_t slot, device::StreamView stream) noexcept {
  try {
    mark_end_of(slot, stream);
  } catch (const std::exception& error) {
    log::error("while giving back slot {}: {}", slot, error.what());
    fail(std::current_exception());
  }
  const MutexLock lock(mutex_);
  if (slots_[slot].state == SlotState::filling) {
    drop(slot);
  } else {
    make_free(slot);
  }
}

void SlotSchedule::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  became_free_.notify_all();
  became_ready_.notify_all();
}

void SlotSchedule::fail(std::exception_ptr error) {
  const MutexLock lock(mutex_);
  if (!error_) error_ = std::move(error);
  closed_ = true;
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot].state == SlotState::ready) drop(slot);
  }
  became_free_.notify_all();
  became_ready_.notify_all();
}

SlotStatistics SlotSchedule::statistics() const {
  const MutexLock lock(mutex_);
  pass_time(free_waits_);
  pass_time(ready_waits_);
  SlotStatistics statistics{.published = published_,
                            .taken = taken_,
                            .abandoned = abandoned_,
                            .free_waits = free_waits_.count,
                            .free_wait_s = to_seconds(free_waits_.ns),
                            .ready_waits = ready_waits_.count,
                            .ready_wait_s = to_seconds(ready_waits_.ns)};
  std::ranges::transform(dwell_ns_, statistics.dwell_s.begin(), to_seconds);
  const int64_t now = clock_.now_ns();
  for (const Slot& slot : slots_) {
    ++statistics.slots[index_of(slot.state)];
    statistics.dwell_s[index_of(slot.state)] += to_seconds(now - slot.since_ns);
  }
  return statistics;
}

bool SlotSchedule::is_front_ready() const {
  return !line_.empty() && slots_[line_.front()].state == SlotState::ready;
}

bool SlotSchedule::is_drained() const {
  return closed_ && (line_.empty() || error_);
}

void SlotSchedule::move(size_t slot, SlotState state) {
  const int64_t now = clock_.now_ns();
  Slot& moved = slots_[slot];
  dwell_ns_[index_of(moved.state)] += now - moved.since_ns;
  moved.state = state;
  moved.since_ns = now;
}

void SlotSchedule::make_free(size_t slot) {
  move(slot, SlotState::free);
  free_.push_back(slot);
  became_free_.notify_one();
}

/// Out of the line: the next in it may be ready, or it the last.
void SlotSchedule::drop(size_t slot) {
  slots_[slot].torn = true;
  std::erase(line_, slot);
  ++abandoned_;
  make_free(slot);
  became_ready_.notify_all();
}

void SlotSchedule::wait_for_free(const std::stop_token& stop) {
  pass_time(free_waits_);
  ++free_waits_.count;
  ++free_waits_.waiting;
  while (free_.empty() && !closed_ && !stop.stop_requested())
    became_free_.wait(mutex_, stop);
  pass_time(free_waits_);
  --free_waits_.waiting;
}

void SlotSchedule::wait_for_ready(const std::stop_token& stop) {
  pass_time(ready_waits_);
  ++ready_waits_.count;
  ++ready_waits_.waiting;
  while (!is_front_ready() && !is_drained() && !stop.stop_requested())
    became_ready_.wait(mutex_, stop);
  pass_time(ready_waits_);
  --ready_waits_.waiting;
}

void SlotSchedule::pass_time(Waits& waits) const {
  const int64_t now = clock_.now_ns();
  waits.ns += waits.waiting * (now - waits.since_ns);
  waits.since_ns = now;
}

void SlotSchedule::mark_end_of(size_t slot, device::StreamView stream) {
  const auto is_filling = [&] {
    const MutexLock lock(mutex_);
    return slots_[slot].state == SlotState::filling;
  };
  (is_filling() ? slots_[slot].filled : slots_[slot].released).record(stream);
}

}  // namespace seda::pipeline
