// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace seda::model::detail {

/// What both kernels are told, passed by value. Pointers are the device's; void is fp32 or bf16.
struct NeighboursTask {
  int batch;
  int time;
  int channels;  ///< A multiple of 8.
  int kernel;    ///< Odd.
  bool bfloat16;
  const int32_t* lengths;  ///< [batch] Places that are real.
  const void* from;
  void* to;
};

/// [batch, time, channels] → [batch, time, kernel, channels]: each place beside its neighbours,
/// with zeros for those that are outside or not real. Enqueued on the current device.
cudaError_t run_gather(const NeighboursTask& task, cudaStream_t stream);

/// Its gradient, [batch, time, kernel, channels] → [batch, time, channels]: the sum of what each
/// real place gave to its neighbours, in fp32; 0 for the others.
cudaError_t run_spread(const NeighboursTask& task, cudaStream_t stream);

}  // namespace seda::model::detail
