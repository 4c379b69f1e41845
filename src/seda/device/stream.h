// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/device/backend.h"
#include "seda/device/device.h"

namespace seda::device {

class Event;
class Platform;

/// A queue of work on one device, owned by someone else. Cheap to copy; work in it runs in order.
///
/// On the CPU work runs at once in the calling thread and the stream is always done. Also the way
/// to name a stream made elsewhere (a framework's), which must outlive every use of the view and
/// whatever was freed on it.
class StreamView {
 public:
  /// No stream; not to be used.
  StreamView() = default;
  StreamView(Backend& backend, int index, NativeStream native) noexcept
      : backend_(&backend), index_(index), native_(native) {}

  Device device() const noexcept { return {.kind = backend_->kind(), .index = index_}; }
  Backend& backend() const noexcept { return *backend_; }
  NativeStream native() const noexcept { return native_; }

  /// Waits on the host until everything enqueued so far has run.
  void synchronize() const;
  /// Whether everything enqueued so far has run.
  bool done() const;

  /// Later work here runs only after what `event` marks. The host waits only where a CPU stream
  /// waits for a GPU's event.
  void wait(const Event& event) const;

  bool operator==(const StreamView&) const = default;

 private:
  Backend* backend_ = nullptr;
  int index_ = 0;
  NativeStream native_ = nullptr;
};

/// Owns a stream. Its end waits for what was enqueued, so that nothing runs on memory freed with
/// it.
class Stream {
 public:
  Stream(const Platform& platform, Device device, StreamPriority priority = StreamPriority::normal);
  ~Stream();
  Stream(Stream&& other) noexcept;
  Stream& operator=(Stream&& other) noexcept;

  StreamView view() const noexcept { return view_; }
  operator StreamView() const noexcept { return view_; }  // NOLINT: a stream is used as its view

  Device device() const noexcept { return view_.device(); }
  void synchronize() const { view_.synchronize(); }
  bool done() const { return view_.done(); }
  void wait(const Event& event) const { view_.wait(event); }

 private:
  StreamView view_;
  bool owned_ = false;
};

/// A point in a stream. One thread records; any may ask and wait. Never recorded counts as done.
class Event {
 public:
  /// For streams of the device of `stream`; nothing is recorded yet.
  explicit Event(StreamView stream, EventTiming timing = EventTiming::off);
  ~Event();
  Event(Event&& other) noexcept;
  Event& operator=(Event&& other) noexcept;

  Device device() const noexcept { return {.kind = backend_->kind(), .index = index_}; }
  Backend& backend() const noexcept { return *backend_; }
  NativeEvent native() const noexcept { return native_; }

  /// Marks the end of what is in `stream` now, which is of this event's device. Replaces an earlier
  /// mark; waits that were already enqueued keep theirs.
  void record(StreamView stream);
  /// Waits on the host for the mark.
  void synchronize() const;
  bool done() const;

 private:
  Backend* backend_ = nullptr;
  int index_ = 0;
  NativeEvent native_ = nullptr;
};

/// Milliseconds between two marks of one device, both with timing, recorded and done; else
/// Error(internal).
double elapsed_ms(const Event& begin, const Event& end);

}  // namespace seda::device
