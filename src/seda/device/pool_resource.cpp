// SPDX-License-Identifier: Apache-2.0
#include "seda/device/pool_resource.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <limits>
#include <utility>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/units.h"
#include "seda/device/detail/settle.h"

namespace seda::device {
namespace {

using detail::Chunk;
using detail::Mark;
using detail::Marks;

size_t rounded(size_t bytes) {
  if (bytes > std::numeric_limits<size_t>::max() - kAlignment) {
    throw_error(ErrorKind::memory, "no device has {} to give", format_bytes(bytes));
  }
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The default stream of the same device, which needs no owner.
StreamView standing(StreamView stream) {
  return {stream.backend(), stream.device().index, nullptr};
}

}  // namespace

PoolResource::PoolResource(MemoryResource& upstream, PoolOptions options)
    : upstream_(upstream), options_(options) {
  options_.chunk_bytes = rounded(options.chunk_bytes);
}

PoolResource::~PoolResource() {
  const MutexLock lock(mutex_);
  return_free_chunks();
  if (blocks_.used_bytes() == 0) return;
  log::error("a memory pool of {} ends while {} of it are in use; they are not given back",
             to_string(device()), format_bytes(blocks_.used_bytes()));
}

size_t PoolResource::trim() {
  const MutexLock lock(mutex_);
  return return_free_chunks();
}

PoolStatistics PoolResource::statistics() const {
  const MutexLock lock(mutex_);
  PoolStatistics now = counted_;
  now.used_bytes = blocks_.used_bytes();
  now.reserved_bytes = blocks_.reserved_bytes();
  now.largest_free_bytes = blocks_.largest_free_bytes();
  now.chunks = blocks_.chunks();
  return now;
}

void* PoolResource::do_allocate(size_t bytes, StreamView stream) {
  const size_t size = rounded(bytes);
  void* data = nullptr;
  Marks marks;
  {
    const MutexLock lock(mutex_);
    const auto is_ready = [&](Marks& of) SEDA_REQUIRES(mutex_) { return ready(of, stream); };
    auto* block = blocks_.find(size, is_ready);
    if (block == nullptr) {
      grow(size, stream);
      block = blocks_.find(size, is_ready);
    }
    data = block->first;
    marks = blocks_.take(*block, size);
    counted_.peak_used_bytes = std::max<uint64_t>(counted_.peak_used_bytes, blocks_.used_bytes());
  }
  if (marks.empty()) return data;
  try {
    wait_for(marks, stream);
  } catch (...) {
    const MutexLock lock(mutex_);
    blocks_.release(data, marks);
    throw;
  }
  const MutexLock lock(mutex_);
  for (Mark& mark : marks)
    keep_event(std::move(mark.event));
  return data;
}

void PoolResource::do_deallocate(void* data, size_t /*bytes*/, StreamView stream) noexcept {
  const MutexLock lock(mutex_);
  Marks marks;
  try {
    marks = mark(stream);
  } catch (const std::exception& error) {
    log::warning("no event could be recorded on {}, waiting instead: {}",
                 to_string(stream.device()), error.what());
    if (!detail::settle(stream, "pool memory")) return;
  }
  [[maybe_unused]] const bool known = blocks_.release(data, marks);
  assert(known && "memory given back to a pool that did not give it");
}

bool PoolResource::ready(Marks& marks, StreamView stream) {
  const bool on_device = device().is_cuda();
  bool all = true;
  for (auto mark = marks.begin(); mark != marks.end();) {
    const bool own = on_device && mark->stream == stream;
    if (!own && mark->event->done()) {
      keep_event(std::move(mark->event));
      mark = marks.erase(mark);
      continue;
    }
    all = all && own;
    ++mark;
  }
  return all;
}

void PoolResource::wait_for(const Marks& marks, StreamView stream) {
  const bool on_device = device().is_cuda();
  uint64_t waits = 0;
  for (const Mark& mark : marks) {
    if (on_device && mark.stream == stream) continue;
    if (on_device) {
      stream.wait(*mark.event);
    } else {
      mark.event->synchronize();
    }
    ++waits;
  }
  const MutexLock lock(mutex_);
  (on_device ? counted_.stream_waits : counted_.host_waits) += waits;
}

void PoolResource::grow(size_t bytes, StreamView stream) {
  size_t taken = bytes;
  auto* begin = static_cast<std::byte*>(take_from_upstream(taken, stream));
  try {
    // Upstream gave the chunk to `stream`; other streams that get a part of it must follow. Host
    // memory is everyone's at once.
    Marks marks = device().is_cuda() ? mark(stream) : Marks();
    blocks_.add({.begin = begin, .bytes = taken, .stream = standing(stream)}, std::move(marks));
  } catch (...) {
    upstream_.deallocate(begin, taken, stream);
    throw;
  }
}

void* PoolResource::take_from_upstream(size_t& bytes, StreamView stream) {
  const size_t chunk = std::max(bytes, options_.chunk_bytes);
  try {
    void* data = upstream_.allocate(chunk, stream);
    bytes = chunk;
    return data;
  } catch (const Error& error) {
    const bool may_help = blocks_.reserved_bytes() > 0 || chunk > bytes;
    if (error.kind() != ErrorKind::memory || !may_help) throw;
  }
  return_free_chunks();
  return upstream_.allocate(bytes, stream);
}

size_t PoolResource::return_free_chunks() {
  size_t returned = 0;
  for (auto& [chunk, marks] : blocks_.remove_free_chunks()) {
    if (return_chunk(chunk, marks)) returned += chunk.bytes;
  }
  return returned;
}

bool PoolResource::return_chunk(const Chunk& chunk, const Marks& marks) noexcept {
  try {
    for (const Mark& mark : marks)
      mark.event->synchronize();
  } catch (const std::exception& error) {
    log::error("{} of {} are not given back, a stream that used them failed: {}",
               format_bytes(chunk.bytes), to_string(device()), error.what());
    return false;
  }
  upstream_.deallocate(chunk.begin, chunk.bytes, chunk.stream);
  return true;
}

Marks PoolResource::mark(StreamView stream) {
  if (stream.device().is_cpu()) return {};
  auto event = spare_event(stream);
  event->record(stream);
  return {Mark{.stream = stream, .number = ++marks_made_, .event = std::move(event)}};
}

std::shared_ptr<Event> PoolResource::spare_event(StreamView stream) {
  const auto found = std::ranges::find_if(spare_events_, [&](const auto& event) {
    return &event->backend() == &stream.backend() && event->device() == stream.device();
  });
  if (found == spare_events_.end()) return std::make_shared<Event>(stream);
  auto event = std::move(*found);
  *found = std::move(spare_events_.back());
  spare_events_.pop_back();
  return event;
}

void PoolResource::keep_event(std::shared_ptr<Event> event) {
  if (event.use_count() == 1) spare_events_.push_back(std::move(event));
}

}  // namespace seda::device
