// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "seda/device/backend.h"

namespace seda::testing_support {

/// How often a backend was called.
struct BackendCalls {
  uint64_t allocations = 0;  ///< Of device memory; so are the next.
  uint64_t deallocations = 0;
  uint64_t pinned_allocations = 0;
  uint64_t pinned_deallocations = 0;
  uint64_t streams_created = 0;
  uint64_t events_created = 0;
  uint64_t stream_waits = 0;  ///< The host waited for all of a stream.
  uint64_t event_waits = 0;   ///< The host waited for an event.
  uint64_t event_looks = 0;   ///< The host asked whether an event is done.
  uint64_t copies = 0;
  uint64_t copied_bytes = 0;
  uint64_t fills = 0;

  /// Everything that may not happen while batches are fed: memory, streams and events made or given
  /// back, waits for whole streams.
  uint64_t unsteady() const;

  /// What happened since `earlier`.
  BackendCalls since(const BackendCalls& earlier) const;

  bool operator==(const BackendCalls&) const = default;
};

/// Counts the calls that reach another backend, which it owns. Thread-safe.
class CountingBackend final : public device::Backend {
 public:
  explicit CountingBackend(std::unique_ptr<device::Backend> upstream);

  BackendCalls calls() const;

  device::DeviceKind kind() const noexcept override { return upstream_->kind(); }
  int device_count() const noexcept override { return upstream_->device_count(); }
  std::string absence() const override { return upstream_->absence(); }
  device::DeviceProperties properties(int index) const override;
  device::DeviceMemory memory(int index) const override { return upstream_->memory(index); }

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
  bool can_reach(int index, int peer) const override { return upstream_->can_reach(index, peer); }
  void enable_peer(int index, int peer) override { upstream_->enable_peer(index, peer); }

 private:
  using Count = std::atomic<uint64_t>;

  std::unique_ptr<device::Backend> upstream_;
  Count allocations_{0};
  Count deallocations_{0};
  Count pinned_allocations_{0};
  Count pinned_deallocations_{0};
  Count streams_created_{0};
  Count events_created_{0};
  Count stream_waits_{0};
  Count event_waits_{0};
  Count event_looks_{0};
  Count copies_{0};
  Count copied_bytes_{0};
  Count fills_{0};
};

}  // namespace seda::testing_support
