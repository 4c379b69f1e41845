// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "seda/base/result.h"
#include "seda/cache/record.h"

namespace seda::feed {

/// What an entry of a table "audio" says before its bytes are touched.
struct AudioShape {
  uint64_t samples = 0;  ///< Of the sound; 0: the record says why there is none.
  uint32_t n_mels = 0;   ///< 0 where the record holds samples.
  uint32_t frames = 0;

  bool is_fault() const { return samples == 0; }
  bool operator==(const AudioShape&) const = default;
};

/// Nothing where the entry is none of the three kinds of record (docs/cache_format.md, "audio").
std::optional<AudioShape> audio_shape(const cache::Entry& entry);

/// Samples as a record. A view of them, at least one.
cache::RecordView pcm_record(std::span<const int16_t> samples);

/// A mel `[n_mels, frames]`, without gaps between its rows, as a record; it names the samples it
/// was made from. A view.
cache::RecordView mel_record(std::span<const float> mel, uint32_t n_mels, uint64_t samples);

/// Bytes of a record that stands for a clip that cannot be used.
std::string encode_fault_record(const Fault& fault);

/// Reads them back, without an id; nothing where the bytes are none.
std::optional<Fault> decode_fault_record(std::span<const std::byte> bytes);

/// Version of the layout; part of the table's description.
constexpr int kAudioRecordVersion = 1;

}  // namespace seda::feed
