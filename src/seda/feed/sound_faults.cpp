// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/sound_faults.h"

#include <fmt/format.h>

#include "seda/dataset/place.h"
#include "seda/feed/audio_record.h"
#include "seda/feed/clip_paths.h"

namespace seda::feed {
namespace {

/// Without an id.
std::optional<Fault> bare_fault(const SoundEvidence& evidence, size_t clip) {
  const SoundPlace& place = evidence.plan.places[clip];
  if (place.samples > 0) {
    const auto samples = static_cast<int64_t>(place.samples);
    if (audio::mel_frames(evidence.mel, samples) > 0) return std::nullopt;
    return too_short(place.samples, evidence.mel);
  }
  if (const auto found = evidence.unread.find(evidence.plan.keys[clip]);
      found != evidence.unread.end()) {
    return found->second;
  }
  if (!place.found || evidence.table == nullptr) {
    if (!evidence.all_read) return std::nullopt;
    return Fault{"", "cache_missing", "it has no record in the cache; prepare again"};
  }
  const auto record = evidence.table->read(place.address);
  const auto fault = record ? decode_fault_record(record.value().bytes) : std::nullopt;
  return fault ? fault : Fault{"", "cache_damaged", "its record in the cache cannot be read"};
}

}  // namespace

bool is_lasting(const Fault& fault) {
  return fault.code != "audio_missing" && fault.code != "audio_unreadable" &&
         fault.code != "audio_not_a_file";
}

Fault too_short(uint64_t samples, const audio::MelOptions& mel) {
  return {"", "audio_too_short",
          fmt::format("expected sound for one frame (n_fft {}, hop_length {}), found {} samples",
                      mel.n_fft, mel.hop_length, samples)};
}

std::optional<Fault> sound_fault(const SoundEvidence& evidence, size_t clip) {
  const auto fault = bare_fault(evidence, clip);
  if (!fault) return std::nullopt;
  const dataset::Utterance& utterance = evidence.corpus.utterances[clip];
  return Fault{utterance.id, fault->code,
               fmt::format("{}: {}: {}", dataset::place_of(utterance),
                           ClipPaths(evidence.corpus.folder)(utterance.audio), fault->evidence)};
}

}  // namespace seda::feed
