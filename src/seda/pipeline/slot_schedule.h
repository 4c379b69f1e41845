// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stop_token>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/mutex.h"
#include "seda/device/stream.h"

namespace seda::pipeline {

enum class SlotState { free, filling, ready, in_use };
inline constexpr size_t kSlotStates = 4;

/// What happened to the slots since the ring was made; what is going on counts up to now. As the
/// host sees it: a slot is ready when its work was enqueued, not when the device has done it.
struct SlotStatistics {
  std::array<int, kSlotStates> slots{};       ///< In each state now.
  std::array<double, kSlotStates> dwell_s{};  ///< In each state, over all slots.
  uint64_t published = 0;
  uint64_t taken = 0;
  uint64_t abandoned = 0;   ///< Acquired but never seen by the consumer.
  uint64_t free_waits = 0;  ///< Calls of `acquire` that waited: the consumer is the bottleneck.
  double free_wait_s = 0;
  uint64_t ready_waits = 0;  ///< Calls of `next` or `await_next` that waited: the producer is the
                             ///< bottleneck.
  double ready_wait_s = 0;

  int total() const { return slots[0] + slots[1] + slots[2] + slots[3]; }  ///< Slots.
  int count(SlotState state) const { return slots[static_cast<size_t>(state)]; }
  double dwell(SlotState state) const { return dwell_s[static_cast<size_t>(state)]; }
};

/// Who may touch which slot of a ring when: its indices, states and events. `SlotRing` adds what is
/// in the slots and sees to it that each is given back.
///
/// Thread-safe; a slot that was given out belongs to its holder until given back. Never holds its
/// lock while it calls a device, and allocates nothing after construction. `clock` outlives it.
class SlotSchedule {
 public:
  /// Error(internal) below two slots: one would make the two sides take turns. Slots are filled on
  /// streams of the producer's device and used on streams of the consumer's.
  SlotSchedule(size_t slots, device::StreamView producer, device::StreamView consumer,
               const Clock& clock);
  /// Waits until the devices are done with every slot.
  ~SlotSchedule();
  SlotSchedule(const SlotSchedule&) = delete;
  SlotSchedule& operator=(const SlotSchedule&) = delete;

  size_t size() const noexcept { return slots_.size(); }

  /// free → filling: the slot that was given back first. Waits for one; nullopt once closed or
  /// failed, or when `stop` was requested and none is free.
  std::optional<size_t> acquire(const std::stop_token& stop);
  /// Later work on `stream` follows the last use of the slot.
  void follow_last_use(size_t slot, device::StreamView stream);
  /// filling → ready once `stream` has passed what is in it now; → free where the ring has failed.
  void publish(size_t slot, device::StreamView stream);

  /// ready → in_use, in the order of `acquire`. Waits for the slot whose turn it is, while it is
  /// being filled. Nullopt once closed and drained, or when `stop` was requested and it is not
  /// ready. Throws what `fail` was given.
  std::optional<size_t> next(const std::stop_token& stop);
  /// Waits until `next` would not, for at most so long: false where it still would.
  bool await_next(std::chrono::milliseconds most);
  /// Later work on `stream` follows the filling of the slot.
  void follow_filling(size_t slot, device::StreamView stream);
  /// in_use → free; whoever fills it next follows what is in `stream` now.
  void release(size_t slot, device::StreamView stream);

  /// filling or in_use → free, behind what is in `stream` now. Where the device refuses to mark
  /// that, logs and fails the ring.
  void give_back(size_t slot, device::StreamView stream) noexcept;

  /// No more `acquire`; `next` goes on until all that was acquired is published or given back.
  void close();
  /// Ends both sides at once. What is ready becomes free. The first error is the one kept.
  void fail(std::exception_ptr error);

  SlotStatistics statistics() const;

 private:
  struct Slot {
    device::Event filled;    // on the producer's device
    device::Event released;  // on the consumer's device
    bool torn = false;       // given back while being filled: `filled` marks where that ended
    SlotState state = SlotState::free;
    int64_t since_ns = 0;
  };
  struct Waits {
    uint64_t count = 0;
    int64_t waiting = 0;
    int64_t since_ns = 0;
    int64_t ns = 0;
  };

  bool is_front_ready() const SEDA_REQUIRES(mutex_);
  bool is_drained() const SEDA_REQUIRES(mutex_);
  void move(size_t slot, SlotState state) SEDA_REQUIRES(mutex_);
  void make_free(size_t slot) SEDA_REQUIRES(mutex_);
  void drop(size_t slot) SEDA_REQUIRES(mutex_);
  void wait_for_free(const std::stop_token& stop) SEDA_REQUIRES(mutex_);
  void wait_for_ready(const std::stop_token& stop) SEDA_REQUIRES(mutex_);
  void pass_time(Waits& waits) const SEDA_REQUIRES(mutex_);
  void mark_end_of(size_t slot, device::StreamView stream);

  const Clock& clock_;
  mutable Mutex mutex_;
  Condition became_free_;
  Condition became_ready_;
  std::vector<Slot> slots_;  // state and since_ns guarded by mutex_, the rest by holding the slot
  std::vector<size_t> free_ SEDA_GUARDED_BY(mutex_);  // first: given back first
  std::vector<size_t> line_ SEDA_GUARDED_BY(mutex_);  // filling or ready; first: acquired first
  bool closed_ SEDA_GUARDED_BY(mutex_) = false;
  std::exception_ptr error_ SEDA_GUARDED_BY(mutex_);
  std::array<int64_t, kSlotStates> dwell_ns_ SEDA_GUARDED_BY(mutex_){};
  uint64_t published_ SEDA_GUARDED_BY(mutex_) = 0;
  uint64_t taken_ SEDA_GUARDED_BY(mutex_) = 0;
  uint64_t abandoned_ SEDA_GUARDED_BY(mutex_) = 0;
  mutable Waits free_waits_ SEDA_GUARDED_BY(mutex_);
  mutable Waits ready_waits_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda::pipeline
