// SPDX-License-Identifier: Apache-2.0
#include "seda/device/stream.h"

#include <exception>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/device/platform.h"

namespace seda::device {

void StreamView::synchronize() const {
  backend_->synchronize_stream(index_, native_);
}

bool StreamView::done() const {
  return backend_->stream_done(index_, native_);
}

void StreamView::wait(const Event& event) const {
  if (&event.backend() == backend_) {
    backend_->wait_event(index_, native_, event.native());
  } else if (device().is_cpu()) {
    event.synchronize();
  }
  // Else the event is the CPU's, whose work is done once it is recorded.
}

Stream::Stream(const Platform& platform, Device device, StreamPriority priority)
    : view_(platform.backend(device), device.index,
            platform.backend(device).create_stream(device.index, priority)),
      owned_(true) {}

Stream::~Stream() {
  if (!owned_) return;
  try {
    view_.synchronize();
  } catch (const std::exception& error) {
    log::error("while closing a stream of {}: {}", to_string(device()), error.what());
  }
  view_.backend().destroy_stream(device().index, view_.native());
}

Stream::Stream(Stream&& other) noexcept
    : view_(other.view_), owned_(std::exchange(other.owned_, false)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(view_, other.view_);
  std::swap(owned_, other.owned_);
  return *this;
}

Event::Event(StreamView stream, EventTiming timing)
    : backend_(&stream.backend()),
      index_(stream.device().index),
      native_(backend_->create_event(index_, timing)) {}

Event::~Event() {
  if (native_ != nullptr) backend_->destroy_event(index_, native_);
}

Event::Event(Event&& other) noexcept
    : backend_(other.backend_),
      index_(other.index_),
      native_(std::exchange(other.native_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(backend_, other.backend_);
  std::swap(index_, other.index_);
  std::swap(native_, other.native_);
  return *this;
}

void Event::record(StreamView stream) {
  if (&stream.backend() != backend_ || stream.device() != device()) {
    throw_error(ErrorKind::internal, "an event of {} cannot be recorded on a stream of {}",
                to_string(device()), to_string(stream.device()));
  }
  backend_->record_event(index_, native_, stream.native());
}

void Event::synchronize() const {
  backend_->synchronize_event(index_, native_);
}

bool Event::done() const {
  return backend_->event_done(index_, native_);
}

double elapsed_ms(const Event& begin, const Event& end) {
  if (&begin.backend() != &end.backend() || begin.device() != end.device()) {
    throw_error(ErrorKind::internal, "no time can be taken between an event of {} and one of {}",
                to_string(begin.device()), to_string(end.device()));
  }
  return begin.backend().elapsed_ms(begin.device().index, begin.native(), end.native());
}

}  // namespace seda::device
