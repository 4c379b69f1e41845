// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include "seda/device/check_cuda.h"
#include "seda/device/device_guard_cuda.h"
#include "tests/device/gate.h"

namespace seda::device {
namespace {

constexpr unsigned long long kPatienceNs = 20'000'000'000ULL;

/// In page-locked memory, seen by host and kernel.
struct Flags {
  int open;
  int gave_up;
};

__device__ unsigned long long device_time_ns() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}

__global__ void wait_until_open(volatile Flags* flags, unsigned long long patience_ns) {
  const unsigned long long start = device_time_ns();
  while (flags->open == 0) {
    if (device_time_ns() - start > patience_ns) {
      flags->gave_up = 1;
      return;
    }
    __nanosleep(1000);
  }
}

class CudaGate final : public Gate {
 public:
  explicit CudaGate(StreamView stream) : stream_(stream) {
    const DeviceGuard guard(index());
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, sizeof(Flags), cudaHostAllocMapped | cudaHostAllocPortable),
               "cudaHostAlloc", index());
    flags_ = static_cast<volatile Flags*>(memory);
    flags_->open = 0;
    flags_->gave_up = 0;
    void* seen_by_device = nullptr;
    check_cuda(cudaHostGetDevicePointer(&seen_by_device, memory, 0), "cudaHostGetDevicePointer",
               index());
    wait_until_open<<<1, 1, 0, native()>>>(static_cast<volatile Flags*>(seen_by_device),
                                           kPatienceNs);
    check_cuda(cudaGetLastError(), "wait_until_open", index());
  }

  ~CudaGate() override {
    flags_->open = 1;
    const cudaError_t code = cudaStreamSynchronize(native());
    report_cuda(code, "cudaStreamSynchronize", index());
    report_cuda(cudaFreeHost(const_cast<Flags*>(flags_)), "cudaFreeHost", index());
  }

  void open() override { flags_->open = 1; }

  bool gave_up() override {
    stream_.synchronize();
    return flags_->gave_up != 0;
  }

 private:
  int index() const { return stream_.device().index; }
  cudaStream_t native() const { return static_cast<cudaStream_t>(stream_.native()); }

  StreamView stream_;
  volatile Flags* flags_ = nullptr;
};

}  // namespace

std::unique_ptr<Gate> make_cuda_gate(StreamView stream) {
  return std::make_unique<CudaGate>(stream);
}

int current_cuda_device() {
  int index = 0;
  check_cuda(cudaGetDevice(&index), "cudaGetDevice", 0);
  return index;
}

void set_current_cuda_device(int index) {
  check_cuda(cudaSetDevice(index), "cudaSetDevice", index);
}

}  // namespace seda::device
