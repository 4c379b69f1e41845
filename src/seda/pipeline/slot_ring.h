// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "seda/base/clock.h"
#include "seda/device/stream.h"
#include "seda/pipeline/slot_schedule.h"

namespace seda::pipeline {

/// Slots that go round between a producer and a consumer: free → filling → ready → in use → free.
///
/// Thread-safe. `acquire` gives the producer a slot to fill on a stream, `next` gives the consumer
/// the filled ones in the order in which they were acquired. Both give a lease, which gives the
/// slot back when it ends, whatever ended it. Between streams only events are waited for, by the
/// streams: the host waits for a device only where a CPU stream follows a GPU's. A lease enqueues
/// two waits or marks and nothing is allocated after construction. Leases end before the ring, and
/// streams outlive their leases.
///
/// After `close` there is nothing more to acquire and `next` drains. After `fail` both sides end at
/// once, the consumer with the error. A requested stop ends only waiting.
template <typename T>
class SlotRing {
  class Lease;

 public:
  /// A slot that is being filled; unless published, it goes back unseen.
  class Filling;
  /// A slot that is being used; released on the stream given to `next` unless told otherwise.
  class Using;

  /// One slot for each payload, at least 2 (else Error(internal)). The streams name the devices on
  /// which slots are filled and used; others of the same devices will do for leases.
  SlotRing(std::vector<T> payloads, device::StreamView producer, device::StreamView consumer,
           const Clock& clock)
      : payloads_(std::move(payloads)), schedule_(payloads_.size(), producer, consumer, clock) {}

  /// A slot that work on `stream` may fill: it follows the slot's last use. Waits for a free one;
  /// nullopt once closed or failed, or when `stop` was requested and none is free.
  std::optional<Filling> acquire(device::StreamView stream, const std::stop_token& stop = {}) {
    const auto slot = schedule_.acquire(stop);
    if (!slot) return std::nullopt;
    std::optional<Filling> lease(Filling(*this, *slot, stream));
    schedule_.follow_last_use(*slot, stream);
    return lease;
  }

  /// The next slot in turn, which work on `stream` may use: it follows the filling. Waits while it
  /// is filled; nullopt once closed and drained, or when `stop` was requested and it is not ready.
  /// Throws what `fail` was given.
  std::optional<Using> next(device::StreamView stream, const std::stop_token& stop = {}) {
    const auto slot = schedule_.next(stop);
    if (!slot) return std::nullopt;
    std::optional<Using> lease(Using(*this, *slot, stream));
    schedule_.follow_filling(*slot, stream);
    return lease;
  }

  /// Waits until `next` would not, for at most so long: false where it still would.
  bool await_next(std::chrono::milliseconds most) { return schedule_.await_next(most); }

  void close() { schedule_.close(); }
  void fail(std::exception_ptr error) { schedule_.fail(std::move(error)); }

  size_t size() const noexcept { return payloads_.size(); }
  SlotStatistics statistics() const { return schedule_.statistics(); }

 private:
  std::vector<T> payloads_;
  SlotSchedule schedule_;  // goes first, and waits for the devices
};

template <typename T>
class SlotRing<T>::Lease {
 public:
  Lease(Lease&& other) noexcept
      : ring_(std::exchange(other.ring_, nullptr)), slot_(other.slot_), stream_(other.stream_) {}
  Lease& operator=(Lease&&) = delete;
  ~Lease() {
    if (ring_ != nullptr) ring_->schedule_.give_back(slot_, stream_);
  }

  size_t index() const noexcept { return slot_; }
  device::StreamView stream() const noexcept { return stream_; }
  T& operator*() const noexcept { return ring_->payloads_[slot_]; }
  T* operator->() const noexcept { return &ring_->payloads_[slot_]; }

 protected:
  Lease(SlotRing& ring, size_t slot, device::StreamView stream)
      : ring_(&ring), slot_(slot), stream_(stream) {}

  SlotSchedule& schedule() const noexcept { return ring_->schedule_; }
  void end() noexcept { ring_ = nullptr; }

 private:
  SlotRing* ring_;
  size_t slot_;
  device::StreamView stream_;
};

template <typename T>
class SlotRing<T>::Filling : public Lease {
 public:
  /// Hands the slot on, filled once its stream has passed what was enqueued, and ends the lease.
  void publish() { publish(this->stream()); }
  /// The same with another stream of the device, the last to fill it.
  void publish(device::StreamView stream) {
    this->schedule().publish(this->index(), stream);
    this->end();
  }

 private:
  friend class SlotRing;
  Filling(SlotRing& ring, size_t slot, device::StreamView stream) : Lease(ring, slot, stream) {}
};

template <typename T>
class SlotRing<T>::Using : public Lease {
 public:
  /// Gives the slot back, free once its stream has passed what was enqueued, and ends the lease.
  void release() { release(this->stream()); }
  /// The same with another stream of the device, the last to use it.
  void release(device::StreamView stream) {
    this->schedule().release(this->index(), stream);
    this->end();
  }

 private:
  friend class SlotRing;
  Using(SlotRing& ring, size_t slot, device::StreamView stream) : Lease(ring, slot, stream) {}
};

}  // namespace seda::pipeline
