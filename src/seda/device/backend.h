// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "seda/device/location.h"

namespace seda::device {

/// What the driver calls a stream or an event, untyped here; `cudaStream_t` and `cudaEvent_t` in
/// the files that include CUDA. A null stream is the device's default stream.
using NativeStream = void*;
using NativeEvent = void*;

enum class StreamPriority { normal, high };
enum class EventTiming { off, on };  ///< Events without timing cost less to record and to wait on.

/// Of every allocation, on every device.
inline constexpr size_t kAlignment = 256;

struct DeviceProperties {
  std::string name;
  uint64_t total_bytes = 0;
  int compute_major = 0;    ///< Compute capability; 0.0 for the CPU.
  int compute_minor = 0;    ///< The 6 of 8.6.
  int multiprocessors = 0;  ///< Usable cores for the CPU.
  std::string pci_bus_id;   ///< "0000:1B:00.0"; empty for the CPU.
};

struct DeviceMemory {
  uint64_t free_bytes = 0;
  uint64_t total_bytes = 0;
};

/// One family of devices: the only door to their memory, streams, events and copies.
///
/// Thread-safe, and leaves the calling thread's current CUDA device as it was. An `index` is below
/// `device_count`; `Platform` sees to that. Failures: Error(memory) when memory is out,
/// Error(unavailable) for what is not there, Error(internal) for the rest; each names the call, the
/// device and the driver's own words. Functions that release never throw: they log.
class Backend {
 public:
  Backend() = default;
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  virtual DeviceKind kind() const noexcept = 0;
  virtual int device_count() const noexcept = 0;

  /// Why there is no device, and what would help; empty where there is one.
  virtual std::string absence() const = 0;

  virtual DeviceProperties properties(int index) const = 0;
  virtual DeviceMemory memory(int index) const = 0;

  /// Memory of the device itself, aligned to `kAlignment`. May synchronize the whole device.
  virtual void* allocate(int index, size_t bytes) = 0;
  virtual void deallocate(int index, void* data) noexcept = 0;

  /// Host memory that device `index` copies from and to without staging. Ordinary memory on the
  /// CPU. Slow: take it once.
  virtual void* allocate_pinned(int index, size_t bytes) = 0;
  virtual void deallocate_pinned(int index, void* data) noexcept = 0;

  virtual NativeStream create_stream(int index, StreamPriority priority) = 0;
  virtual void destroy_stream(int index, NativeStream stream) noexcept = 0;
  virtual void synchronize_stream(int index, NativeStream stream) = 0;
  virtual bool stream_done(int index, NativeStream stream) = 0;

  /// An event never recorded counts as done. `elapsed_ms` needs two that were recorded with timing
  /// and are done.
  virtual NativeEvent create_event(int index, EventTiming timing) = 0;
  virtual void destroy_event(int index, NativeEvent event) noexcept = 0;
  virtual void record_event(int index, NativeEvent event, NativeStream stream) = 0;
  virtual void wait_event(int index, NativeStream stream, NativeEvent event) = 0;
  virtual bool event_done(int index, NativeEvent event) = 0;
  virtual void synchronize_event(int index, NativeEvent event) = 0;
  virtual double elapsed_ms(int index, NativeEvent begin, NativeEvent end) = 0;

  /// Enqueue on a stream of device `index`. A copy's ends may be the host, that device or another
  /// of the same family; with host memory that is not page-locked it may wait for the copy.
  virtual void copy(int index, Location to, ConstLocation from, size_t bytes,
                    NativeStream stream) = 0;
  virtual void fill(int index, void* data, std::byte value, size_t bytes, NativeStream stream) = 0;

  /// Whether work on `index` may address memory of `peer` directly. Copies between them work either
  /// way.
  virtual bool can_reach(int index, int peer) const = 0;
  /// Lets `index` address `peer`; again is harmless. Error(unavailable) where it cannot.
  virtual void enable_peer(int index, int peer) = 0;
};

/// The host. Streams run work at once in the calling thread, so they are always done and an event
/// is the time of its recording.
std::unique_ptr<Backend> make_cpu_backend();

/// The machine's CUDA devices. Never throws for want of them: then it has none and `absence` says
/// why (no driver, no device, built without CUDA).
std::unique_ptr<Backend> make_cuda_backend();

}  // namespace seda::device
