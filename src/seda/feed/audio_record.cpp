// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_record.h"

#include <limits>
#include <string_view>

#include "seda/base/error.h"

namespace seda::feed {
namespace {

constexpr uint8_t kMelRank = 3;  // n_mels, frames, samples

uint32_t narrow(uint64_t samples) {
  if (samples == 0 || samples > std::numeric_limits<uint32_t>::max()) {
    throw_error(ErrorKind::internal, "a record of audio cannot hold {} samples", samples);
  }
  return static_cast<uint32_t>(samples);
}

std::optional<AudioShape> mel_shape(const cache::Entry& entry) {
  const AudioShape shape{entry.dims[2], entry.dims[0], entry.dims[1]};
  const uint64_t values = uint64_t{shape.n_mels} * shape.frames;
  if (shape.samples == 0 || values == 0 || entry.size % sizeof(float) != 0) return std::nullopt;
  if (entry.size / sizeof(float) != values) return std::nullopt;
  return shape;
}

}  // namespace

std::optional<AudioShape> audio_shape(const cache::Entry& entry) {
  if (entry.type == cache::DataType::int16 && entry.dims.rank == 1 && entry.dims[0] > 0) {
    return AudioShape{.samples = entry.dims[0]};
  }
  if (entry.type != cache::DataType::raw) return std::nullopt;
  if (entry.dims.rank == kMelRank) return mel_shape(entry);
  return entry.dims.rank == 0 && entry.size > 0 ? std::optional(AudioShape{}) : std::nullopt;
}

cache::RecordView pcm_record(std::span<const int16_t> samples) {
  return {std::as_bytes(samples), {narrow(samples.size())}, cache::DataType::int16};
}

cache::RecordView mel_record(std::span<const float> mel, uint32_t n_mels, uint64_t samples) {
  const auto frames = static_cast<uint32_t>(mel.size() / n_mels);
  return {std::as_bytes(mel), {n_mels, frames, narrow(samples)}, cache::DataType::raw};
}

std::string encode_fault_record(const Fault& fault) {
  return fault.code + "\n" + fault.evidence;
}

std::optional<Fault> decode_fault_record(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const size_t end = text.find('\n');
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  return Fault{"", std::string(text.substr(0, end)), std::string(text.substr(end + 1))};
}

}  // namespace seda::feed
