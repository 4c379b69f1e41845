// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_backend.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/units.h"

namespace seda::testing_support {

using device::ConstLocation;
using device::Device;
using device::Location;
using device::NativeEvent;
using device::NativeStream;
using Kind = FakeOperation::Kind;

namespace {

constexpr int kPinned = -1;
constexpr int kFresh = 0xcd;  // what memory holds before it is written
constexpr int kFreed = 0xdd;

}  // namespace

struct FakeBackend::Event {
  uint64_t recorded = 0;  ///< Records enqueued so far.
  uint64_t reached = 0;   ///< The last of them that ran.
  int64_t time_ns = 0;
};

struct FakeBackend::Work {
  FakeOperation operation;
  std::function<bool()> may_run;
  std::function<void()> run;
};

struct FakeBackend::Stream {
  int number = 0;
  int device = 0;
  bool held = false;
  std::deque<Work> queue;
};

FakeBackend::FakeBackend(const FakeOptions& options) : options_(options) {
  const MutexLock lock(mutex_);
  for (int index = 0; index < options.devices; ++index)
    streams_.push_back(std::make_unique<Stream>(Stream{0, index, false, {}}));
}

FakeBackend::~FakeBackend() {
  const MutexLock lock(mutex_);
  for (const auto& [data, allocation] : allocations_)
    std::free(const_cast<std::byte*>(data));
}

void FakeBackend::hold(device::StreamView stream) {
  const MutexLock lock(mutex_);
  find(stream.device().index, stream.native()).held = true;
}

void FakeBackend::release(device::StreamView stream) {
  const MutexLock lock(mutex_);
  find(stream.device().index, stream.native()).held = false;
  run();
}

void FakeBackend::when_host_waits(std::function<void()> hook) {
  const MutexLock lock(mutex_);
  wait_hook_ = std::move(hook);
}

std::vector<FakeOperation> FakeBackend::operations() const {
  const MutexLock lock(mutex_);
  return operations_;
}

std::vector<std::string> FakeBackend::violations() const {
  const MutexLock lock(mutex_);
  return violations_;
}

uint64_t FakeBackend::used_bytes(int index) const {
  const MutexLock lock(mutex_);
  const auto found = used_.find(index);
  return found == used_.end() ? 0 : found->second;
}

uint64_t FakeBackend::pinned_bytes() const {
  return used_bytes(kPinned);
}

bool FakeBackend::peer_enabled(int index, int peer) const {
  const MutexLock lock(mutex_);
  return std::ranges::find(peers_, std::pair(index, peer)) != peers_.end();
}

std::string FakeBackend::absence() const {
  return options_.devices == 0 ? "the fake has no devices" : "";
}

device::DeviceProperties FakeBackend::properties(int index) const {
  return {.name = fmt::format("fake GPU {}", index),
          .total_bytes = options_.memory_bytes,
          .compute_major = 9,
          .compute_minor = 0,
          .multiprocessors = 1,
          .pci_bus_id = fmt::format("0000:{:02X}:00.0", index + 1)};
}

device::DeviceMemory FakeBackend::memory(int index) const {
  return {.free_bytes = options_.memory_bytes - used_bytes(index),
          .total_bytes = options_.memory_bytes};
}

void* FakeBackend::allocate(int index, size_t bytes) {
  const MutexLock lock(mutex_);
  const uint64_t left = options_.memory_bytes - used_[index];
  if (bytes > left) {
    throw_error(ErrorKind::memory, "fake cuda:{} has no {} to give: {} are free", index,
                format_bytes(bytes), format_bytes(left));
  }
  return take(device::cuda(index), bytes);
}

void FakeBackend::deallocate(int /*index*/, void* data) noexcept {
  const MutexLock lock(mutex_);
  give_back(data);
}

void* FakeBackend::allocate_pinned(int /*index*/, size_t bytes) {
  const MutexLock lock(mutex_);
  if (bytes > options_.memory_bytes - used_[kPinned]) {
    throw_error(ErrorKind::memory, "fake: {} could not be page-locked", format_bytes(bytes));
  }
  return take(device::kCpu, bytes);
}

void FakeBackend::deallocate_pinned(int /*index*/, void* data) noexcept {
  const MutexLock lock(mutex_);
  give_back(data);
}

void* FakeBackend::take(Device device, size_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, device::kAlignment, bytes) != 0) throw std::bad_alloc();
  std::memset(data, kFresh, bytes);
  allocations_[static_cast<std::byte*>(data)] = {device, bytes};
  used_[device.is_cpu() ? kPinned : device.index] += bytes;
  return data;
}

void FakeBackend::give_back(void* data) {
  const auto found = allocations_.find(static_cast<std::byte*>(data));
  if (found == allocations_.end()) {
    violations_.emplace_back("memory was freed that was not allocated");
    return;
  }
  const auto [device, bytes] = found->second;
  used_[device.is_cpu() ? kPinned : device.index] -= bytes;
  allocations_.erase(found);
  std::memset(data, kFreed, bytes);
  std::free(data);
}

NativeStream FakeBackend::create_stream(int index, device::StreamPriority /*priority*/) {
  const MutexLock lock(mutex_);
  streams_.push_back(std::make_unique<Stream>(Stream{++streams_made_, index, false, {}}));
  return streams_.back().get();
}

void FakeBackend::destroy_stream(int /*index*/, NativeStream stream) noexcept {
  const MutexLock lock(mutex_);
  std::erase_if(streams_, [stream](const auto& own) { return own.get() == stream; });
}

void FakeBackend::synchronize_stream(int index, NativeStream stream) {
  announce_wait([&] { return stream_done(index, stream); });
  const MutexLock lock(mutex_);
  drain(find(index, stream));
}

bool FakeBackend::stream_done(int index, NativeStream stream) {
  const MutexLock lock(mutex_);
  return find(index, stream).queue.empty();
}

NativeEvent FakeBackend::create_event(int /*index*/, device::EventTiming /*timing*/) {
  const MutexLock lock(mutex_);
  auto event = std::make_shared<Event>();
  NativeEvent native = event.get();
  events_[native] = std::move(event);
  return native;
}

void FakeBackend::destroy_event(int /*index*/, NativeEvent event) noexcept {
  const MutexLock lock(mutex_);
  events_.erase(event);
}

void FakeBackend::record_event(int index, NativeEvent event, NativeStream stream) {
  const MutexLock lock(mutex_);
  auto found = find(event);
  const uint64_t number = ++found->recorded;
  Stream& on = find(index, stream);
  enqueue(on, {{Kind::record, index, on.number, {}, {}, 0}, nullptr, [found, number] {
                 found->reached = number;
                 found->time_ns = now_ns();
               }});
}

void FakeBackend::wait_event(int index, NativeStream stream, NativeEvent event) {
  const MutexLock lock(mutex_);
  auto found = find(event);
  const uint64_t number = found->recorded;
  Stream& on = find(index, stream);
  enqueue(on, {{Kind::wait, index, on.number, {}, {}, 0},
               [found, number] { return found->reached >= number; },
               [] {}});
}

bool FakeBackend::event_done(int /*index*/, NativeEvent event) {
  const MutexLock lock(mutex_);
  const auto found = find(event);
  return found->reached == found->recorded;
}

void FakeBackend::synchronize_event(int index, NativeEvent event) {
  announce_wait([&] { return event_done(index, event); });
  const MutexLock lock(mutex_);
  const auto found = find(event);
  const uint64_t number = found->recorded;
  while (found->reached < number)
    progressed_.wait(mutex_);
}

double FakeBackend::elapsed_ms(int /*index*/, NativeEvent begin, NativeEvent end) {
  const MutexLock lock(mutex_);
  const auto from = find(begin);
  const auto to = find(end);
  if (from->recorded == 0 || to->recorded == 0 || from->reached != from->recorded ||
      to->reached != to->recorded) {
    throw Error(ErrorKind::internal, "fake: elapsed_ms of an event that was not reached");
  }
  return static_cast<double>(to->time_ns - from->time_ns) * 1e-6;
}

void FakeBackend::copy(int index, Location to, ConstLocation from, size_t bytes,
                       NativeStream stream) {
  if (enqueue_copy(index, to, from, bytes, stream)) synchronize_stream(index, stream);
}

/// True where the host must wait for the copy.
bool FakeBackend::enqueue_copy(int index, Location to, ConstLocation from, size_t bytes,
                               NativeStream stream) {
  const MutexLock lock(mutex_);
  require(to, bytes);
  require(from, bytes);
  Stream& on = find(index, stream);
  const FakeOperation operation{Kind::copy, index, on.number, from.device, to.device, bytes};
  const bool from_pageable = from.device.is_cpu() && allocation_of(from.data, bytes) == nullptr;
  const bool to_pageable = to.device.is_cpu() && allocation_of(to.data, bytes) == nullptr;
  if (from_pageable) {
    auto taken = std::make_shared<std::vector<std::byte>>(bytes);
    std::memcpy(taken->data(), from.data, bytes);
    enqueue(on, {operation, nullptr, [this, to, taken, bytes]() SEDA_REQUIRES(mutex_) {
                   perform_copy(to, device::on_host(taken->data()), bytes);
                 }});
  } else {
    enqueue(on, {operation, nullptr, [this, to, from, bytes]() SEDA_REQUIRES(mutex_) {
                   perform_copy(to, from, bytes);
                 }});
  }
  return to_pageable;
}

void FakeBackend::perform_copy(Location to, ConstLocation from, size_t bytes) {
  if (is_valid(to, bytes) && is_valid(from, bytes)) {
    std::memmove(to.data, from.data, bytes);
  } else {
    violations_.push_back(fmt::format("a copy of {} ran after its memory was freed", bytes));
  }
}

void FakeBackend::fill(int index, void* data, std::byte value, size_t bytes, NativeStream stream) {
  const MutexLock lock(mutex_);
  const Location place{data, device::cuda(index)};
  require(place, bytes);
  Stream& on = find(index, stream);
  const FakeOperation operation{Kind::fill, index, on.number, {}, place.device, bytes};
  enqueue(on, {operation, nullptr, [this, place, value, bytes]() SEDA_REQUIRES(mutex_) {
                 if (is_valid(place, bytes)) {
                   std::memset(place.data, std::to_integer<int>(value), bytes);
                 } else {
                   violations_.emplace_back("a fill ran after its memory was freed");
                 }
               }});
}

bool FakeBackend::can_reach(int index, int peer) const {
  return index == peer || options_.peers;
}

void FakeBackend::enable_peer(int index, int peer) {
  if (peer_enabled(index, peer)) return;
  const MutexLock lock(mutex_);
  peers_.emplace_back(index, peer);
}

const FakeBackend::Allocation* FakeBackend::allocation_of(const void* data, size_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(data);
  auto found = allocations_.upper_bound(begin);
  if (found == allocations_.begin()) return nullptr;
  --found;
  const auto* end = found->first + found->second.bytes;
  return begin < end && begin + bytes <= end ? &found->second : nullptr;
}

/// Device memory must be allocated there; host memory may be anything that is no device's.
bool FakeBackend::is_valid(ConstLocation place, size_t bytes) const {
  const Allocation* allocation = allocation_of(place.data, bytes);
  if (allocation == nullptr) return place.device.is_cpu();
  return allocation->device == place.device;
}

void FakeBackend::require(ConstLocation place, size_t bytes) const {
  if (is_valid(place, bytes)) return;
  throw_error(ErrorKind::internal, "fake: {} at {} are not memory of {}", format_bytes(bytes),
              place.data, device::to_string(place.device));
}

FakeBackend::Stream& FakeBackend::find(int index, NativeStream stream) {
  for (const auto& own : streams_) {
    const bool is_default = stream == nullptr && own->number == 0;
    if ((own.get() == stream || is_default) && own->device == index) return *own;
  }
  throw_error(ErrorKind::internal, "fake: no such stream on cuda:{}", index);
}

std::shared_ptr<FakeBackend::Event> FakeBackend::find(NativeEvent event) {
  const auto found = events_.find(event);
  if (found == events_.end()) throw_error(ErrorKind::internal, "fake: no such event");
  return found->second;
}

void FakeBackend::enqueue(Stream& stream, Work work) {
  stream.queue.push_back(std::move(work));
  run();
}

void FakeBackend::run() {
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& stream : streams_)
      moved = run_one(*stream) || moved;
  }
  progressed_.notify_all();
}

bool FakeBackend::run_one(Stream& stream) {
  if (stream.held || stream.queue.empty()) return false;
  Work& next = stream.queue.front();
  if (next.may_run && !next.may_run()) return false;
  next.run();
  operations_.push_back(next.operation);
  stream.queue.pop_front();
  return true;
}

void FakeBackend::announce_wait(const std::function<bool()>& done) {
  std::function<void()> hook;
  {
    const MutexLock lock(mutex_);
    hook = wait_hook_;
  }
  if (hook && !done()) hook();
}

void FakeBackend::drain(Stream& stream) {
  while (!stream.queue.empty())
    progressed_.wait(mutex_);
}

}  // namespace seda::testing_support
