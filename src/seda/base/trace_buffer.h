// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "seda/base/mutex.h"

namespace seda {

/// What a `TraceRecorder` keeps of each span.
struct TraceEvent {
  const char* name = nullptr;
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
  uint32_t track = 0;
};

/// Events of one thread, in chunks that never move.
///
/// One thread adds, without a lock but when a chunk begins; any other may read at the same time.
class TraceBuffer {
 public:
  static constexpr size_t kChunkEvents = 256;

  /// A new thread adds from now on: it has no track yet.
  void adopt() noexcept { track_ = 0; }

  bool has_room() const noexcept { return used_ < kChunkEvents; }
  void add_chunk();
  /// Needs room.
  void push(const TraceEvent& event) noexcept {
    current_->events[used_] = event;
    current_->filled.store(++used_, std::memory_order_release);
  }
  void drop() noexcept { dropped_.store(dropped() + 1, std::memory_order_relaxed); }

  uint32_t track() const noexcept { return track_; }
  void set_track(uint32_t track) noexcept { track_ = track; }

  uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }
  void collect(std::vector<TraceEvent>& events) const;

 private:
  struct Chunk {
    std::array<TraceEvent, kChunkEvents> events;
    std::atomic<size_t> filled{0};  // events below it are there for all to read
  };

  Chunk* current_ = nullptr;  // this and the next two: only for the thread that adds
  size_t used_ = kChunkEvents;
  uint32_t track_ = 0;
  std::atomic<uint64_t> dropped_{0};
  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Chunk>> chunks_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda
