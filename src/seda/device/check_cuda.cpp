// SPDX-License-Identifier: Apache-2.0
#include "seda/device/check_cuda.h"

#include <string>

#include "seda/base/error.h"
#include "seda/base/log.h"

namespace seda::device {
namespace {

ErrorKind kind_of(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return ErrorKind::memory;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorStubLibrary:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorSystemNotReady:
    case cudaErrorPeerAccessUnsupported:
    case cudaErrorNoKernelImageForDevice:
      return ErrorKind::unavailable;
    default:
      return ErrorKind::internal;
  }
}

std::string describe(cudaError_t code, const char* call, int index) {
  return fmt::format("{} on cuda:{}: {} ({})", call, index, cudaGetErrorString(code),
                     cudaGetErrorName(code));
}

}  // namespace

void check_cuda(cudaError_t code, const char* call, int index) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw Error(kind_of(code), describe(code, call, index));
}

void report_cuda(cudaError_t code, const char* call, int index) noexcept {
  if (code == cudaSuccess || code == cudaErrorCudartUnloading) return;
  cudaGetLastError();
  log::error("{}", describe(code, call, index));
}

}  // namespace seda::device
