// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "seda/audio/mel_options.h"
#include "seda/base/result.h"
#include "seda/cache/cache.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/audio_plan.h"

namespace seda::feed {

/// Whether a fault is one of the file's bytes and stays while they do: the cache then keeps it. A
/// file that is missing or may not be read can be mended without a change of its size or time.
bool is_lasting(const Fault& fault);

/// The fault of a sound that has no frame. Without an id.
Fault too_short(uint64_t samples, const audio::MelOptions& mel);

/// What tells whether the sound of a clip can be used.
struct SoundEvidence {
  const dataset::Corpus& corpus;
  const AudioPlan& plan;
  const cache::Table* table = nullptr;  ///< Null where there is none.
  const std::map<cache::Key, Fault>& unread;
  const audio::MelOptions& mel;
  bool all_read = true;  ///< False: only planned; what has no record is not yet known.
};

/// What is wrong with the sound of a clip, with its id, its place in the metadata and its file;
/// nothing where it is good, or not yet known.
std::optional<Fault> sound_fault(const SoundEvidence& evidence, size_t clip);

}  // namespace seda::feed
