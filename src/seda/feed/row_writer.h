// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "seda/audio/mel_cpu.h"
#include "seda/feed/clip_source.h"
#include "seda/feed/packed_layout.h"
#include "seda/feed/resident_corpus.h"

namespace seda::feed {

/// A row of a batch that is to be written.
struct Row {
  BatchShape shape;
  void* memory = nullptr;  ///< Of the batch.
  int index = 0;
  int32_t speaker = 0;
  int32_t language = 0;
};

/// Frames of the content that fit the shape: those that are fed.
int fed_frames(const ClipContent& content, const audio::MelOptions& mel, int most);

/// Writes clips into rows of finished batches: mels made and padded, tokens, masks
/// (batch_layout.h). One thread at a time; `plan` outlives it. Allocates only for a clip longer
/// than all before that is cut.
class PaddedRowWriter {
 public:
  explicit PaddedRowWriter(const audio::MelCpu& plan) : plan_(plan), workspace_(plan) {}

  void write(const ClipContent& content, const Row& row);

 private:
  void write_mel(const ClipContent& content, int frames, float* out, size_t stride);

  const audio::MelCpu& plan_;
  audio::MelCpu::Workspace workspace_;
  std::vector<float> whole_;  // the mel of a clip of which only a part is fed
};

/// Says in a row of a staged batch where a clip of the resident corpus lies.
void write_resident(const ResidentClip& clip, const PackedShape& shape, const Row& row);

/// Writes clips into rows of staged batches (packed_layout.h), as they are.
void write_packed(const ClipContent& content, const PackedShape& shape,
                  const audio::MelOptions& mel, const Row& row);

}  // namespace seda::feed
