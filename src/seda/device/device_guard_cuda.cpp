// SPDX-License-Identifier: Apache-2.0
#include "seda/device/device_guard_cuda.h"

#include <cuda.h>

#include "seda/device/check_cuda.h"

namespace seda::device {
namespace {

using StateFunction = CUresult(CUdevice, unsigned int*, int*);

/// Taken from the loaded driver: linking it would stop the program where there is none.
StateFunction* find_state_function() {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  constexpr unsigned kSinceVersion = 7000;
  const auto code = cudaGetDriverEntryPointByVersion("cuDevicePrimaryCtxGetState", &found,
                                                     kSinceVersion, cudaEnableDefault, &result);
  if (code != cudaSuccess || result != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return nullptr;
  }
  return reinterpret_cast<StateFunction*>(found);
}

bool has_context(int index) {
  static StateFunction* const state = find_state_function();
  unsigned flags = 0;
  int active = 0;
  return state == nullptr || state(index, &flags, &active) != CUDA_SUCCESS || active != 0;
}

}  // namespace

DeviceGuard::DeviceGuard(int index) : index_(index) {
  check_cuda(cudaGetDevice(&before_), "cudaGetDevice", index);
  if (before_ != index) check_cuda(cudaSetDevice(index), "cudaSetDevice", index);
}

DeviceGuard::~DeviceGuard() {
  if (before_ == index_ || !has_context(before_)) return;
  report_cuda(cudaSetDevice(before_), "cudaSetDevice", before_);
}

}  // namespace seda::device
