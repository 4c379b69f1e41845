// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "seda/base/progress.h"
#include "seda/base/result.h"
#include "seda/device/buffer.h"
#include "seda/feed/clip_lengths.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/packed_batch.h"

namespace seda::feed {

struct ResidentOptions {
  int threads = 0;                       ///< 0: `usable_cores()`.
  size_t chunk_bytes = size_t{8} << 20;  ///< Of clips that are brought to the device in one go.
  ProgressStyle progress = ProgressStyle::quiet;
};

/// Where a corpus lives and how it gets there. All outlive it.
struct ResidentMemory {
  device::MemoryResource& resource;  ///< Of the data device.
  device::MemoryResource& staging;   ///< Page-locked; not touched where that device is the CPU.
  device::StreamView stream;         ///< Of the data device.
};

/// Where one clip lies, as a row of a `PackedBatch` says it.
struct ResidentClip {
  int64_t sound_offset = 0;
  int64_t token_offset = 0;
  int32_t sound_length = 0;
  int32_t frames = 0;  ///< That are fed.
  int32_t tokens = 0;  ///< That are fed.

  bool operator==(const ResidentClip&) const = default;
};

/// A clip that could not be read.
struct ResidentFault {
  uint32_t row = 0;
  Fault fault;

  bool operator==(const ResidentFault&) const = default;
};

/// Sounds and tokens of all clips that are fed, in the memory of one device: samples or mels, as
/// the source has them. Of a clip that is cut, only what is fed.
///
/// Const once made: any thread may ask. The source need not outlive it.
class ResidentCorpus {
 public:
  /// What a corpus takes of the device, whatever its clips turn out to be.
  static uint64_t bytes_needed(const ClipSource& source, std::span<const ClipLength> clips);

  /// Reads every clip, several at a time, and waits until all are there. A few pieces of staging
  /// memory go round, two for each thread. Clips that cannot be read become faults.
  /// Error(interrupted) on Ctrl-C; Error(memory) where there is no room.
  ResidentCorpus(const ClipSource& source, std::span<const ClipLength> clips,
                 const ResidentOptions& options, const ResidentMemory& memory);

  /// Nothing for a clip that could not be read or was not among those given.
  std::optional<ResidentClip> place(uint32_t row) const;

  /// A batch without rows, whose sounds and tokens are the corpus.
  PackedBatch base() const;

  /// In the order of rows.
  std::span<const ResidentFault> faults() const noexcept { return faults_; }
  uint64_t bytes() const noexcept { return sounds_.bytes() + tokens_.bytes(); }

 private:
  AudioKind kind_;
  device::Buffer sounds_;
  device::Buffer tokens_;
  std::vector<ResidentClip> clips_;  // by row; no frame: not here
  std::vector<ResidentFault> faults_;
};

}  // namespace seda::feed
