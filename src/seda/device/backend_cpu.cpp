// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/thread.h"
#include "seda/base/units.h"
#include "seda/device/backend.h"
#include "seda/device/proc_text.h"

namespace seda::device {
namespace {

/// The time of the last recording; 0 before the first.
struct CpuEvent {
  std::atomic<int64_t> recorded_ns{0};
};

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "CPU";
}

uint64_t find_physical_bytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
}

CpuEvent& event_of(NativeEvent event) {
  return *static_cast<CpuEvent*>(event);
}

class CpuBackend final : public Backend {
 public:
  DeviceKind kind() const noexcept override { return DeviceKind::cpu; }
  int device_count() const noexcept override { return 1; }
  std::string absence() const override { return {}; }

  DeviceProperties properties(int /*index*/) const override {
    DeviceProperties properties;
    properties.name = processor_name();
    properties.total_bytes = physical_bytes_;
    properties.multiprocessors = usable_cores();
    return properties;
  }

  DeviceMemory memory(int /*index*/) const override {
    const auto info = parse_memory_info(read_text("/proc/meminfo"));
    return {.free_bytes = info ? info->available_bytes : 0, .total_bytes = physical_bytes_};
  }

  /// More than the machine has is refused here: the kernel would promise it and kill us later.
  void* allocate(int /*index*/, size_t bytes) override {
    void* data = nullptr;
    const bool fits = bytes <= physical_bytes_;
    if (!fits || posix_memalign(&data, kAlignment, bytes) != 0) {
      throw_error(ErrorKind::memory, "the host has no {} to give: it has {} in all",
                  format_bytes(bytes), format_bytes(physical_bytes_));
    }
    return data;
  }
  void deallocate(int /*index*/, void* data) noexcept override { std::free(data); }

  void* allocate_pinned(int index, size_t bytes) override { return allocate(index, bytes); }
  void deallocate_pinned(int index, void* data) noexcept override { deallocate(index, data); }

  NativeStream create_stream(int /*index*/, StreamPriority /*priority*/) override {
    return nullptr;
  }
  void destroy_stream(int /*index*/, NativeStream /*stream*/) noexcept override {}
  void synchronize_stream(int /*index*/, NativeStream /*stream*/) override {}
  bool stream_done(int /*index*/, NativeStream /*stream*/) override { return true; }

  NativeEvent create_event(int /*index*/, EventTiming /*timing*/) override { return new CpuEvent; }
  void destroy_event(int /*index*/, NativeEvent event) noexcept override {
    delete static_cast<CpuEvent*>(event);
  }
  void record_event(int /*index*/, NativeEvent event, NativeStream /*stream*/) override {
    event_of(event).recorded_ns.store(now_ns(), std::memory_order_release);
  }
  void wait_event(int /*index*/, NativeStream /*stream*/, NativeEvent /*event*/) override {}
  bool event_done(int /*index*/, NativeEvent /*event*/) override { return true; }
  void synchronize_event(int /*index*/, NativeEvent /*event*/) override {}

  double elapsed_ms(int /*index*/, NativeEvent begin, NativeEvent end) override {
    const int64_t from = event_of(begin).recorded_ns.load(std::memory_order_acquire);
    const int64_t to = event_of(end).recorded_ns.load(std::memory_order_acquire);
    if (from == 0 || to == 0) {
      throw_error(ErrorKind::internal, "elapsed_ms on the CPU: an event was never recorded");
    }
    return static_cast<double>(to - from) * 1e-6;
  }

  void copy(int /*index*/, Location to, ConstLocation from, size_t bytes,
            NativeStream /*stream*/) override {
    std::memmove(to.data, from.data, bytes);
  }
  void fill(int /*index*/, void* data, std::byte value, size_t bytes,
            NativeStream /*stream*/) override {
    std::memset(data, std::to_integer<int>(value), bytes);
  }

  bool can_reach(int /*index*/, int /*peer*/) const override { return true; }
  void enable_peer(int /*index*/, int /*peer*/) override {}

 private:
  const uint64_t physical_bytes_ = find_physical_bytes();
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() {
  return std::make_unique<CpuBackend>();
}

}  // namespace seda::device
