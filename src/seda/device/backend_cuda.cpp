// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include <cuda_runtime_api.h>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/device/backend.h"
#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"

namespace seda::device {
namespace {

cudaStream_t stream_of(NativeStream stream) {
  return static_cast<cudaStream_t>(stream);
}

cudaEvent_t event_of(NativeEvent event) {
  return static_cast<cudaEvent_t>(event);
}

std::string describe_absence(cudaError_t code) {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    cudaGetLastError();
    return "no CUDA driver is installed (libcuda.so.1 was not found)";
  }
  if (code == cudaErrorInsufficientDriver) {
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    return fmt::format("the driver knows CUDA {}.{}, seda needs {}.{}: install a newer driver",
                       driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  }
  if (code == cudaErrorNoDevice || code == cudaSuccess) {
    return "the CUDA driver shows no device: look at nvidia-smi and CUDA_VISIBLE_DEVICES";
  }
  return fmt::format("CUDA does not start: {} ({})", cudaGetErrorString(code),
                     cudaGetErrorName(code));
}

cudaMemcpyKind direction(Location to, ConstLocation from) {
  if (to.device.is_cpu()) {
    return from.device.is_cpu() ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
  }
  return from.device.is_cpu() ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice;
}

/// Sizes beyond any address space are called invalid rather than too large.
bool is_too_much(cudaError_t code) {
  return code == cudaErrorMemoryAllocation || code == cudaErrorInvalidValue;
}

class CudaBackend final : public Backend {
 public:
  CudaBackend() {
    const cudaError_t code = cudaGetDeviceCount(&count_);
    if (code != cudaSuccess) count_ = 0;
    if (count_ == 0) absence_ = describe_absence(code);
    cudaGetLastError();
  }

  DeviceKind kind() const noexcept override { return DeviceKind::cuda; }
  int device_count() const noexcept override { return count_; }
  std::string absence() const override { return absence_; }

  DeviceProperties properties(int index) const override {
    cudaDeviceProp found{};
    check_cuda(cudaGetDeviceProperties(&found, index), "cudaGetDeviceProperties", index);
    std::array<char, 32> bus_id{};
    check_cuda(cudaDeviceGetPCIBusId(bus_id.data(), bus_id.size(), index), "cudaDeviceGetPCIBusId",
               index);
    return {.name = found.name,
            .total_bytes = found.totalGlobalMem,
            .compute_major = found.major,
            .compute_minor = found.minor,
            .multiprocessors = found.multiProcessorCount,
            .pci_bus_id = bus_id.data()};
  }

  DeviceMemory memory(int index) const override {
    const DeviceGuard guard(index);
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo", index);
    return {.free_bytes = free_bytes, .total_bytes = total_bytes};
  }

  void* allocate(int index, size_t bytes) override {
    const DeviceGuard guard(index);
    void* data = nullptr;
    const cudaError_t code = cudaMalloc(&data, bytes);
    if (is_too_much(code)) throw_out_of_memory(index, bytes);
    check_cuda(code, "cudaMalloc", index);
    return data;
  }

  void deallocate(int index, void* data) noexcept override {
    release("cudaFree", index, [data] { return cudaFree(data); });
  }

  void* allocate_pinned(int index, size_t bytes) override {
    const DeviceGuard guard(index);
    void* data = nullptr;
    const cudaError_t code = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
    if (is_too_much(code)) {
      cudaGetLastError();
      throw_error(ErrorKind::memory, "cudaHostAlloc: {} of host memory could not be page-locked",
                  format_bytes(bytes));
    }
    check_cuda(code, "cudaHostAlloc", index);
    return data;
  }

  void deallocate_pinned(int index, void* data) noexcept override {
    release("cudaFreeHost", index, [data] { return cudaFreeHost(data); });
  }

  NativeStream create_stream(int index, StreamPriority priority) override {
    const DeviceGuard guard(index);
    int lowest = 0;
    int highest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&lowest, &highest),
               "cudaDeviceGetStreamPriorityRange", index);
    cudaStream_t stream = nullptr;
    check_cuda(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                            priority == StreamPriority::high ? highest : lowest),
               "cudaStreamCreateWithPriority", index);
    return stream;
  }

  void destroy_stream(int index, NativeStream stream) noexcept override {
    release("cudaStreamDestroy", index, [stream] { return cudaStreamDestroy(stream_of(stream)); });
  }

  void synchronize_stream(int index, NativeStream stream) override {
    const DeviceGuard guard(index);
    check_cuda(cudaStreamSynchronize(stream_of(stream)), "cudaStreamSynchronize", index);
  }

  bool stream_done(int index, NativeStream stream) override {
    const DeviceGuard guard(index);
    return is_done(cudaStreamQuery(stream_of(stream)), "cudaStreamQuery", index);
  }

  NativeEvent create_event(int index, EventTiming timing) override {
    const DeviceGuard guard(index);
    const unsigned flags = timing == EventTiming::on ? cudaEventDefault : cudaEventDisableTiming;
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags", index);
    return event;
  }

  void destroy_event(int index, NativeEvent event) noexcept override {
    release("cudaEventDestroy", index, [event] { return cudaEventDestroy(event_of(event)); });
  }

  void record_event(int index, NativeEvent event, NativeStream stream) override {
    const DeviceGuard guard(index);
    check_cuda(cudaEventRecord(event_of(event), stream_of(stream)), "cudaEventRecord", index);
  }

  void wait_event(int index, NativeStream stream, NativeEvent event) override {
    const DeviceGuard guard(index);
    check_cuda(cudaStreamWaitEvent(stream_of(stream), event_of(event), 0), "cudaStreamWaitEvent",
               index);
  }

  bool event_done(int index, NativeEvent event) override {
    return is_done(cudaEventQuery(event_of(event)), "cudaEventQuery", index);
  }

  void synchronize_event(int index, NativeEvent event) override {
    check_cuda(cudaEventSynchronize(event_of(event)), "cudaEventSynchronize", index);
  }

  double elapsed_ms(int index, NativeEvent begin, NativeEvent end) override {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, event_of(begin), event_of(end)),
               "cudaEventElapsedTime", index);
    return milliseconds;
  }

  void copy(int index, Location to, ConstLocation from, size_t bytes,
            NativeStream stream) override {
    const DeviceGuard guard(index);
    const bool between_gpus =
        to.device.is_cuda() && from.device.is_cuda() && to.device.index != from.device.index;
    if (between_gpus) {
      check_cuda(cudaMemcpyPeerAsync(to.data, to.device.index, from.data, from.device.index, bytes,
                                     stream_of(stream)),
                 "cudaMemcpyPeerAsync", index);
    } else {
      check_cuda(cudaMemcpyAsync(to.data, from.data, bytes, direction(to, from), stream_of(stream)),
                 "cudaMemcpyAsync", index);
    }
  }

  void fill(int index, void* data, std::byte value, size_t bytes, NativeStream stream) override {
    const DeviceGuard guard(index);
    check_cuda(cudaMemsetAsync(data, std::to_integer<int>(value), bytes, stream_of(stream)),
               "cudaMemsetAsync", index);
  }

  bool can_reach(int index, int peer) const override {
    if (index == peer) return true;
    int reachable = 0;
    check_cuda(cudaDeviceCanAccessPeer(&reachable, index, peer), "cudaDeviceCanAccessPeer", index);
    return reachable != 0;
  }

  void enable_peer(int index, int peer) override {
    if (index == peer) return;
    const DeviceGuard guard(index);
    const cudaError_t code = cudaDeviceEnablePeerAccess(peer, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();
      return;
    }
    check_cuda(code, "cudaDeviceEnablePeerAccess", index);
  }

 private:
  /// Runs `call` on the device; the thread may be one that never touched CUDA.
  template <typename Call>
  static void release(const char* name, int index, Call call) noexcept {
    try {
      const DeviceGuard guard(index);
      report_cuda(call(), name, index);
    } catch (const Error&) {
      report_cuda(call(), name, index);
    }
  }

  static bool is_done(cudaError_t code, const char* call, int index) {
    if (code == cudaErrorNotReady) {
      cudaGetLastError();
      return false;
    }
    check_cuda(code, call, index);
    return true;
  }

  [[noreturn]] void throw_out_of_memory(int index, size_t bytes) const {
    cudaGetLastError();
    const DeviceMemory left = memory(index);
    throw_error(ErrorKind::memory, "cudaMalloc: cuda:{} has no {} to give: {} of {} are free",
                index, format_bytes(bytes), format_bytes(left.free_bytes),
                format_bytes(left.total_bytes));
  }

  int count_ = 0;
  std::string absence_;
};

}  // namespace

std::unique_ptr<Backend> make_cuda_backend() {
  return std::make_unique<CudaBackend>();
}

}  // namespace seda::device
