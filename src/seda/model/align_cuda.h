// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"
#include "seda/model/align.h"

namespace seda::model {

/// The largest batch that is to be aligned.
struct AlignShape {
  int batch = 0;
  int tokens = 0;
  int frames = 0;
  bool operator==(const AlignShape&) const = default;
};

/// The alignment of each clip of a batch (align.h), on a GPU; every pointer is the device's.
///
/// Takes its memory once: a bit per token and frame, and four bytes per token. `apply` only
/// enqueues on `stream`: it neither allocates nor synchronizes, and may be captured in a CUDA
/// graph. The memory serves one stream at a time. Equals `align_cpu`
/// (tests/model/align_cuda_test.cpp).
class AlignCuda {
 public:
  /// `resource` is of the GPU of `stream` and outlives this. Error(config) above 65,535 clips or
  /// 12,288 frames; Error(unavailable) in a build without CUDA.
  AlignCuda(const AlignShape& largest, device::MemoryResource& resource, device::StreamView stream);
  ~AlignCuda();
  AlignCuda(AlignCuda&&) noexcept;
  AlignCuda& operator=(AlignCuda&&) noexcept;

  const AlignShape& largest() const noexcept { return largest_; }

  /// Error(usage) where a side of the input is larger than planned.
  void apply(const AlignInput& input, const AlignOutput& output, device::StreamView stream) const;

 private:
  struct Plan;

  AlignShape largest_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace seda::model
