// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace seda::device {

/// Throws where `code` is no success, naming the call, device `index` and CUDA's own words:
/// Error(memory) when memory is out, Error(unavailable) for a missing driver or device,
/// Error(internal) for the rest. Clears the thread's last CUDA error, so that it is not reported
/// twice.
///
/// `call` is what was called, for example "cudaMemcpyAsync".
void check_cuda(cudaError_t code, const char* call, int index);

/// The same for functions that may not throw: a line in the log. Silent when the process is ending
/// and CUDA is gone before us.
void report_cuda(cudaError_t code, const char* call, int index) noexcept;

}  // namespace seda::device
