// SPDX-License-Identifier: Apache-2.0
#include "tests/support/counting_backend.h"

#include <utility>

namespace seda::testing_support {

using device::ConstLocation;
using device::Location;
using device::NativeEvent;
using device::NativeStream;

uint64_t BackendCalls::unsteady() const {
  return allocations + deallocations + pinned_allocations + pinned_deallocations + streams_created +
         events_created + stream_waits;
}

BackendCalls BackendCalls::since(const BackendCalls& earlier) const {
  return {.allocations = allocations - earlier.allocations,
          .deallocations = deallocations - earlier.deallocations,
          .pinned_allocations = pinned_allocations - earlier.pinned_allocations,
          .pinned_deallocations = pinned_deallocations - earlier.pinned_deallocations,
          .streams_created = streams_created - earlier.streams_created,
          .events_created = events_created - earlier.events_created,
          .stream_waits = stream_waits - earlier.stream_waits,
          .event_waits = event_waits - earlier.event_waits,
          .event_looks = event_looks - earlier.event_looks,
          .copies = copies - earlier.copies,
          .copied_bytes = copied_bytes - earlier.copied_bytes,
          .fills = fills - earlier.fills};
}

CountingBackend::CountingBackend(std::unique_ptr<device::Backend> upstream)
    : upstream_(std::move(upstream)) {}

BackendCalls CountingBackend::calls() const {
  return {.allocations = allocations_,
          .deallocations = deallocations_,
          .pinned_allocations = pinned_allocations_,
          .pinned_deallocations = pinned_deallocations_,
          .streams_created = streams_created_,
          .events_created = events_created_,
          .stream_waits = stream_waits_,
          .event_waits = event_waits_,
          .event_looks = event_looks_,
          .copies = copies_,
          .copied_bytes = copied_bytes_,
          .fills = fills_};
}

device::DeviceProperties CountingBackend::properties(int index) const {
  return upstream_->properties(index);
}

void* CountingBackend::allocate(int index, size_t bytes) {
  ++allocations_;
  return upstream_->allocate(index, bytes);
}

void CountingBackend::deallocate(int index, void* data) noexcept {
  ++deallocations_;
  upstream_->deallocate(index, data);
}

void* CountingBackend::allocate_pinned(int index, size_t bytes) {
  ++pinned_allocations_;
  return upstream_->allocate_pinned(index, bytes);
}

void CountingBackend::deallocate_pinned(int index, void* data) noexcept {
  ++pinned_deallocations_;
  upstream_->deallocate_pinned(index, data);
}

NativeStream CountingBackend::create_stream(int index, device::StreamPriority priority) {
  ++streams_created_;
  return upstream_->create_stream(index, priority);
}

void CountingBackend::destroy_stream(int index, NativeStream stream) noexcept {
  upstream_->destroy_stream(index, stream);
}

void CountingBackend::synchronize_stream(int index, NativeStream stream) {
  ++stream_waits_;
  upstream_->synchronize_stream(index, stream);
}

bool CountingBackend::stream_done(int index, NativeStream stream) {
  return upstream_->stream_done(index, stream);
}

NativeEvent CountingBackend::create_event(int index, device::EventTiming timing) {
  ++events_created_;
  return upstream_->create_event(index, timing);
}

void CountingBackend::destroy_event(int index, NativeEvent event) noexcept {
  upstream_->destroy_event(index, event);
}

void CountingBackend::record_event(int index, NativeEvent event, NativeStream stream) {
  upstream_->record_event(index, event, stream);
}

void CountingBackend::wait_event(int index, NativeStream stream, NativeEvent event) {
  upstream_->wait_event(index, stream, event);
}

bool CountingBackend::event_done(int index, NativeEvent event) {
  ++event_looks_;
  return upstream_->event_done(index, event);
}

void CountingBackend::synchronize_event(int index, NativeEvent event) {
  ++event_waits_;
  upstream_->synchronize_event(index, event);
}

double CountingBackend::elapsed_ms(int index, NativeEvent begin, NativeEvent end) {
  return upstream_->elapsed_ms(index, begin, end);
}

void CountingBackend::copy(int index, Location to, ConstLocation from, size_t bytes,
                           NativeStream stream) {
  ++copies_;
  copied_bytes_ += bytes;
  upstream_->copy(index, to, from, bytes, stream);
}

void CountingBackend::fill(int index, void* data, std::byte value, size_t bytes,
                           NativeStream stream) {
  ++fills_;
  upstream_->fill(index, data, value, bytes, stream);
}

}  // namespace seda::testing_support
