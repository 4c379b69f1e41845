// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "seda/base/mutex.h"
#include "seda/device/backend.h"
#include "seda/device/platform.h"
#include "seda/device/stream.h"

namespace seda::testing_support {

struct FakeOptions {
  int devices = 2;
  uint64_t memory_bytes = uint64_t{64} << 20;  ///< Of each device, and page-locked.
  bool peers = true;                           ///< Devices may address each other.
};

/// Something a stream of a fake device has done.
struct FakeOperation {
  enum class Kind { copy, fill, record, wait };

  Kind kind = Kind::copy;
  int device = 0;
  int stream = 0;  ///< 0 the default stream, then 1, 2, … as they were made.
  device::Device from;
  device::Device to;
  size_t bytes = 0;

  bool operator==(const FakeOperation&) const = default;
};

/// CUDA devices made of host memory, with the order of real streams.
///
/// Work runs as soon as it can: at once, unless its stream is held or waits for an event that is
/// not there yet. Each access is checked against what is allocated where. As with CUDA, a copy from
/// host memory that is not page-locked takes the bytes at once, and one into it waits. Thread-safe.
class FakeBackend final : public device::Backend {
 public:
  explicit FakeBackend(const FakeOptions& options = {});
  ~FakeBackend() override;

  /// Work put on the stream stays undone until `release`. Whoever synchronizes with it then waits.
  void hold(device::StreamView stream);
  void release(device::StreamView stream);

  /// Called in the waiting thread whenever the host is about to wait for work that is not done; the
  /// place to release what it waits for.
  void when_host_waits(std::function<void()> hook);

  /// What ran, in the order in which it ran.
  std::vector<FakeOperation> operations() const;
  /// Accesses to memory that was no longer, or never, allocated there. Empty in a right program.
  std::vector<std::string> violations() const;
  uint64_t used_bytes(int index) const;
  uint64_t pinned_bytes() const;
  bool peer_enabled(int index, int peer) const;

  device::DeviceKind kind() const noexcept override { return device::DeviceKind::cuda; }
  int device_count() const noexcept override { return options_.devices; }
  std::string absence() const override;
  device::DeviceProperties properties(int index) const override;
  device::DeviceMemory memory(int index) const override;
  void* allocate(int index, size_t bytes) override;
  void deallocate(int index, void* data) noexcept override;
  void* allocate_pinned(int index, size_t bytes) override;
  void deallocate_pinned(int index, void* data) noexcept override;
  device::NativeStream create_stream(int index, device::StreamPriority priority) override;
  void destroy_stream(int index, device::NativeStream stream) noexcept override;
  void synchronize_stream(int index, device::NativeStream stream) override;
  bool stream_done(int index, device::NativeStream stream) override;
  device::NativeEvent create_event(int index, device::EventTiming timing) override;
  void destroy_event(int index, device::NativeEvent event) noexcept override;
  void record_event(int index, device::NativeEvent event, device::NativeStream stream) override;
  void wait_event(int index, device::NativeStream stream, device::NativeEvent event) override;
  bool event_done(int index, device::NativeEvent event) override;
  void synchronize_event(int index, device::NativeEvent event) override;
  double elapsed_ms(int index, device::NativeEvent begin, device::NativeEvent end) override;
  void copy(int index, device::Location to, device::ConstLocation from, size_t bytes,
            device::NativeStream stream) override;
  void fill(int index, void* data, std::byte value, size_t bytes,
            device::NativeStream stream) override;
  bool can_reach(int index, int peer) const override;
  void enable_peer(int index, int peer) override;

 private:
  struct Event;
  struct Work;
  struct Stream;
  struct Allocation {
    device::Device device;
    size_t bytes = 0;
  };

  void* take(device::Device device, size_t bytes) SEDA_REQUIRES(mutex_);
  void give_back(void* data) SEDA_REQUIRES(mutex_);
  const Allocation* allocation_of(const void* data, size_t bytes) const SEDA_REQUIRES(mutex_);
  bool is_valid(device::ConstLocation place, size_t bytes) const SEDA_REQUIRES(mutex_);
  void require(device::ConstLocation place, size_t bytes) const SEDA_REQUIRES(mutex_);
  Stream& find(int index, device::NativeStream stream) SEDA_REQUIRES(mutex_);
  std::shared_ptr<Event> find(device::NativeEvent event) SEDA_REQUIRES(mutex_);
  void enqueue(Stream& stream, Work work) SEDA_REQUIRES(mutex_);
  void run() SEDA_REQUIRES(mutex_);
  bool run_one(Stream& stream) SEDA_REQUIRES(mutex_);
  void drain(Stream& stream) SEDA_REQUIRES(mutex_);
  void announce_wait(const std::function<bool()>& done) SEDA_EXCLUDES(mutex_);
  bool enqueue_copy(int index, device::Location to, device::ConstLocation from, size_t bytes,
                    device::NativeStream stream) SEDA_EXCLUDES(mutex_);
  void perform_copy(device::Location to, device::ConstLocation from, size_t bytes)
      SEDA_REQUIRES(mutex_);

  FakeOptions options_;
  mutable Mutex mutex_;
  Condition progressed_;
  std::map<const std::byte*, Allocation> allocations_ SEDA_GUARDED_BY(mutex_);
  std::map<int, uint64_t> used_ SEDA_GUARDED_BY(mutex_);  ///< By device; -1 for page-locked memory.
  std::vector<std::unique_ptr<Stream>> streams_ SEDA_GUARDED_BY(mutex_);
  std::map<device::NativeEvent, std::shared_ptr<Event>> events_ SEDA_GUARDED_BY(mutex_);
  std::vector<std::pair<int, int>> peers_ SEDA_GUARDED_BY(mutex_);
  std::vector<FakeOperation> operations_ SEDA_GUARDED_BY(mutex_);
  std::vector<std::string> violations_ SEDA_GUARDED_BY(mutex_);
  std::function<void()> wait_hook_ SEDA_GUARDED_BY(mutex_);
  int streams_made_ SEDA_GUARDED_BY(mutex_) = 0;
};

/// A platform whose CUDA devices are fake, and the backend to steer them by.
struct FakePlatform {
  explicit FakePlatform(const FakeOptions& options = {})
      : FakePlatform(std::make_unique<FakeBackend>(options)) {}

  FakeBackend* backend;
  device::Platform platform;

 private:
  explicit FakePlatform(std::unique_ptr<FakeBackend> made)
      : backend(made.get()), platform(device::make_cpu_backend(), std::move(made)) {}
};

}  // namespace seda::testing_support
