// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "seda/audio/mel_options.h"
#include "seda/device/memory_resource.h"
#include "seda/device/stream.h"
#include "seda/feed/batch.h"
#include "seda/feed/packed_batch.h"

namespace seda::feed {

/// Packed clips → a padded batch with masks, on a GPU.
///
/// Plans once. `apply` only enqueues on `stream`: it neither allocates nor synchronizes, and may be
/// captured in a CUDA graph.
class FeaturizeCuda {
 public:
  /// Takes tables from `resource`, which is of the GPU of `stream` and outlives this. `kind` is
  /// what the packed clips hold. Error(unavailable) in a build without CUDA.
  FeaturizeCuda(const audio::MelOptions& mel, AudioKind kind, device::MemoryResource& resource,
                device::StreamView stream);
  ~FeaturizeCuda();
  FeaturizeCuda(FeaturizeCuda&&) noexcept;
  FeaturizeCuda& operator=(FeaturizeCuda&&) noexcept;

  /// Writes every element of every array.
  void apply(const PackedBatch& clips, const BatchShape& shape, const BatchArrays& out,
             device::StreamView stream) const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace seda::feed
