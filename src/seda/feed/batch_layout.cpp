// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/batch_layout.h"

#include <algorithm>

#include "seda/feed/detail/placer.h"

namespace seda::feed {
namespace {

struct Placed {
  BatchArrays arrays;
  size_t bytes = 0;
};

Placed place(const BatchShape& shape, void* base) {
  const auto batch = static_cast<size_t>(shape.batch);
  const auto tokens = batch * static_cast<size_t>(shape.tokens);
  const auto frames = batch * static_cast<size_t>(shape.frames);
  detail::Placer placer(base);
  Placed out;
  out.arrays.mel = placer.take<float>(frames * static_cast<size_t>(shape.n_mels));
  out.arrays.tokens = placer.take<int32_t>(tokens);
  out.arrays.mel_mask = placer.take<uint8_t>(frames);
  out.arrays.token_mask = placer.take<uint8_t>(tokens);
  out.arrays.mel_lengths = placer.take<int32_t>(batch);
  out.arrays.token_lengths = placer.take<int32_t>(batch);
  out.arrays.speakers = placer.take<int32_t>(batch);
  out.arrays.languages = placer.take<int32_t>(batch);
  out.bytes = placer.bytes();
  return out;
}

}  // namespace

size_t batch_bytes(const BatchShape& shape) {
  return place(shape, nullptr).bytes;
}

BatchArrays batch_arrays(const BatchShape& shape, void* base) {
  return place(shape, base).arrays;
}

size_t largest_batch_bytes(std::span<const Bucket> buckets, int n_mels) {
  size_t largest = 0;
  for (const Bucket& bucket : buckets) {
    const BatchShape shape{bucket.batch_size, bucket.tokens, bucket.frames, n_mels};
    largest = std::max(largest, batch_bytes(shape));
  }
  return largest;
}

}  // namespace seda::feed
