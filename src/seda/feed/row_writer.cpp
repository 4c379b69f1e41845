// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/row_writer.h"

#include <algorithm>

#include "seda/feed/batch_layout.h"
#include "seda/feed/pack_sound.h"
#include "seda/text/tokenizer.h"

namespace seda::feed {
namespace {

/// The first values, then padding to the end of the row.
template <typename T>
void write_padded(std::span<const T> values, T padding, std::span<T> row) {
  const auto rest = std::ranges::copy(values, row.begin()).out;
  std::fill(rest, row.end(), padding);
}

void write_mask(size_t real, std::span<uint8_t> row) {
  std::fill_n(row.begin(), real, uint8_t{1});
  std::fill(row.begin() + static_cast<std::ptrdiff_t>(real), row.end(), uint8_t{0});
}

template <typename T>
std::span<T> row_of(T* base, int index, int size) {
  const auto width = static_cast<size_t>(size);
  return {base + static_cast<size_t>(index) * width, width};
}

}  // namespace

int fed_frames(const ClipContent& content, const audio::MelOptions& mel, int most) {
  const int64_t frames = content.mel.empty() ? audio::mel_frames(mel, std::ssize(content.samples))
                                             : content.mel_frames;
  return static_cast<int>(std::min<int64_t>(frames, most));
}

void PaddedRowWriter::write(const ClipContent& content, const Row& row) {
  const BatchShape& shape = row.shape;
  const BatchArrays out = batch_arrays(shape, row.memory);
  const auto index = static_cast<size_t>(row.index);
  const int frames = fed_frames(content, plan_.options(), shape.frames);
  const size_t tokens = std::min(content.tokens.size(), static_cast<size_t>(shape.tokens));
  const auto width = static_cast<size_t>(shape.frames);
  float* mel = out.mel + index * static_cast<size_t>(shape.n_mels) * width;
  write_mel(content, frames, mel, width);
  const float silence = audio::mel_silence(plan_.options());
  for (size_t band = 0; band < static_cast<size_t>(shape.n_mels); ++band) {
    float* const begin = mel + band * width;
    std::fill(begin + frames, begin + width, silence);
  }
  write_padded(content.tokens.first(tokens), text::kPadToken,
               row_of(out.tokens, row.index, shape.tokens));
  write_mask(static_cast<size_t>(frames), row_of(out.mel_mask, row.index, shape.frames));
  write_mask(tokens, row_of(out.token_mask, row.index, shape.tokens));
  out.mel_lengths[index] = frames;
  out.token_lengths[index] = static_cast<int32_t>(tokens);
  out.speakers[index] = row.speaker;
  out.languages[index] = row.language;
}

void PaddedRowWriter::write_mel(const ClipContent& content, int frames, float* out, size_t stride) {
  const auto n_mels = static_cast<size_t>(plan_.options().n_mels);
  const auto fed = static_cast<size_t>(frames);
  if (!content.mel.empty()) {
    copy_bands({content.mel.data(), static_cast<size_t>(content.mel_frames)}, {out, stride}, n_mels,
               fed);
    return;
  }
  const auto samples = needed(content.samples, plan_.options(), frames);
  const auto made = static_cast<size_t>(plan_.frames(std::ssize(samples)));
  if (made == fed) {
    plan_.apply(samples, workspace_, {out, fed, stride});
    return;
  }
  whole_.resize(std::max(whole_.size(), n_mels * made));
  plan_.apply(samples, workspace_, {whole_.data(), made, made});
  copy_bands({whole_.data(), made}, {out, stride}, n_mels, fed);
}

void write_packed(const ClipContent& content, const PackedShape& shape,
                  const audio::MelOptions& mel, const Row& row) {
  const PackedArrays out = packed_arrays(shape, row.memory);
  const auto index = static_cast<size_t>(row.index);
  const int frames = fed_frames(content, mel, shape.batch.frames);
  const size_t tokens = std::min(content.tokens.size(), static_cast<size_t>(shape.batch.tokens));
  out.sound_offsets[index] = row.index * shape.sound_stride;
  out.token_offsets[index] = int64_t{row.index} * shape.batch.tokens;
  out.mel_lengths[index] = frames;
  out.token_lengths[index] = static_cast<int32_t>(tokens);
  out.speakers[index] = row.speaker;
  out.languages[index] = row.language;
  std::memcpy(out.tokens + out.token_offsets[index], content.tokens.data(),
              tokens * sizeof(int32_t));
  const size_t sound = static_cast<size_t>(out.sound_offsets[index]) * element_bytes(shape.kind);
  out.sound_lengths[index] =
      pack_sound(content, mel, frames, static_cast<std::byte*>(out.sounds) + sound);
}

void write_resident(const ResidentClip& clip, const PackedShape& shape, const Row& row) {
  const PackedArrays out = packed_arrays(shape, row.memory);
  const auto index = static_cast<size_t>(row.index);
  out.sound_offsets[index] = clip.sound_offset;
  out.token_offsets[index] = clip.token_offset;
  out.sound_lengths[index] = clip.sound_length;
  out.mel_lengths[index] = std::min(clip.frames, shape.batch.frames);
  out.token_lengths[index] = std::min(clip.tokens, shape.batch.tokens);
  out.speakers[index] = row.speaker;
  out.languages[index] = row.language;
}

}  // namespace seda::feed
