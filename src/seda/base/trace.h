// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/mutex.h"
#include "seda/base/per_thread.h"
#include "seda/base/trace_buffer.h"

namespace seda {

/// A row of the timeline: by default that of the calling thread, others are made by `add_track`.
struct TraceTrack {
  uint32_t number = 0;

  bool operator==(const TraceTrack&) const = default;
};

/// What was recorded of one row; times are `now_ns()`.
struct TraceRow {
  struct Span {
    std::string name;
    int64_t start_ns = 0;
    int64_t end_ns = 0;
  };

  std::string name;
  std::vector<Span> spans;  ///< By their beginning.
};

/// Timeline of what happened when, for ui.perfetto.dev or chrome://tracing.
///
/// Thread-safe: each thread writes to memory of its own, about 20 ns a span beside reading the
/// clock. Memory is bounded: once `capacity` spans are stored, later ones are dropped and counted,
/// and the file says how many. While off, spans are ignored for the price of a load and a branch.
/// Threads may outlive it, but none may be recording when it goes.
///
/// Names of spans are kept as pointers: string literals, or what outlives it. Times are `now_ns()`.
class TraceRecorder {
 public:
  static constexpr size_t kDefaultCapacity = 1'000'000;  // 32 MB when full

  /// `capacity` is rounded up to a multiple of 256, in which threads take it.
  explicit TraceRecorder(size_t capacity = kDefaultCapacity);
  TraceRecorder(const TraceRecorder&) = delete;
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  bool enabled() const noexcept { return enabled_.load(std::memory_order_relaxed); }
  void set_enabled(bool enabled) noexcept { enabled_.store(enabled, std::memory_order_relaxed); }

  /// Something that lasted. On one track spans nest or follow each other.
  void span(const char* name, int64_t start_ns, int64_t end_ns, TraceTrack track = {}) {
    if (enabled()) add(name, start_ns, end_ns, track);
  }

  /// A row that is no thread's, for example a stream of a GPU. Rows stand in the order in which
  /// they were made or first used.
  TraceTrack add_track(std::string_view name);

  uint64_t dropped() const;

  /// The spans that reach into a stretch of time, row by row; rows without any are left out. Others
  /// may go on recording.
  std::vector<TraceRow> rows(int64_t from_ns, int64_t to_ns) const;

  /// Everything so far in the JSON trace event format, by time, in µs since the recorder was made.
  /// Others may go on recording.
  std::string to_json() const;
  void write(const std::filesystem::path& path) const;  ///< The same to a file (`AtomicFile`).

 private:
  using Sink = std::function<void(std::string_view)>;

  void add(const char* name, int64_t start_ns, int64_t end_ns, TraceTrack track);
  bool grow(TraceBuffer& buffer);
  uint32_t track_of_thread(TraceBuffer& buffer);
  std::vector<TraceEvent> collect() const;
  void render(const Sink& sink) const;
  void render_tracks(const Sink& sink) const;

  const int64_t origin_ns_ = now_ns();
  std::atomic<bool> enabled_{true};
  std::atomic<int64_t> chunks_left_;
  PerThread<TraceBuffer> buffers_;
  mutable Mutex mutex_;
  std::vector<std::string> tracks_ SEDA_GUARDED_BY(mutex_);  // track n is at n - 1
};

}  // namespace seda
