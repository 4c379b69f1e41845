// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/packed_layout.h"

#include <algorithm>

#include "seda/feed/detail/placer.h"
#include "seda/feed/samples_needed.h"

namespace seda::feed {
namespace {

struct Placed {
  PackedArrays arrays;
  size_t bytes = 0;
};

Placed place(const PackedShape& shape, void* base) {
  const auto batch = static_cast<size_t>(shape.batch.batch);
  detail::Placer placer(base);
  Placed out;
  out.arrays.sound_offsets = placer.take<int64_t>(batch);
  out.arrays.token_offsets = placer.take<int64_t>(batch);
  out.arrays.sound_lengths = placer.take<int32_t>(batch);
  out.arrays.mel_lengths = placer.take<int32_t>(batch);
  out.arrays.token_lengths = placer.take<int32_t>(batch);
  out.arrays.speakers = placer.take<int32_t>(batch);
  out.arrays.languages = placer.take<int32_t>(batch);
  if (shape.carries) {
    const size_t sounds = batch * static_cast<size_t>(shape.sound_stride);
    out.arrays.tokens = placer.take<int32_t>(batch * static_cast<size_t>(shape.batch.tokens));
    out.arrays.sounds = shape.kind == AudioKind::pcm16
                            ? static_cast<void*>(placer.take<int16_t>(sounds))
                            : static_cast<void*>(placer.take<float>(sounds));
  }
  out.bytes = placer.bytes();
  return out;
}

}  // namespace

PackedShape packed_shape(const BatchShape& batch, AudioKind kind, const audio::MelOptions& mel,
                         bool carries) {
  const int64_t stride = kind == AudioKind::pcm16 ? samples_needed(mel, batch.frames)
                                                  : int64_t{batch.n_mels} * batch.frames;
  return {batch, kind, stride, carries};
}

size_t packed_bytes(const PackedShape& shape) {
  return place(shape, nullptr).bytes;
}

size_t largest_packed_bytes(std::span<const Bucket> buckets, AudioKind kind,
                            const audio::MelOptions& mel, bool carries) {
  size_t largest = 0;
  for (const Bucket& bucket : buckets) {
    const BatchShape shape{bucket.batch_size, bucket.tokens, bucket.frames, mel.n_mels};
    largest = std::max(largest, packed_bytes(packed_shape(shape, kind, mel, carries)));
  }
  return largest;
}

PackedArrays packed_arrays(const PackedShape& shape, void* base) {
  return place(shape, base).arrays;
}

PackedBatch packed_batch(const PackedShape& shape, void* base) {
  const PackedArrays arrays = packed_arrays(shape, base);
  return {.batch = shape.batch.batch,
          .kind = shape.kind,
          .sounds = arrays.sounds,
          .tokens = arrays.tokens,
          .sound_offsets = arrays.sound_offsets,
          .token_offsets = arrays.token_offsets,
          .sound_lengths = arrays.sound_lengths,
          .mel_lengths = arrays.mel_lengths,
          .token_lengths = arrays.token_lengths,
          .speakers = arrays.speakers,
          .languages = arrays.languages};
}

}  // namespace seda::feed
