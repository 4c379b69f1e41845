// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/audio/mel_options.h"
#include "seda/cache/cache.h"
#include "seda/dataset/corpus.h"
#include "seda/feed/audio_plan.h"
#include "seda/feed/listing.h"
#include "seda/feed/previous.h"
#include "seda/feed/text_plan.h"

namespace seda::feed {

/// What a listing is made from.
struct ListingSources {
  const dataset::Corpus& corpus;
  const TextPlan& lines;
  const cache::Table& texts;  ///< Holds every line.
  const Previous& previous;   ///< Of the texts.
  const AudioPlan& sounds;    ///< Its places are those of now.
  const audio::MelOptions& mel;
};

/// The listing of a corpus. What the last listing says of an unchanged line is taken over without
/// reading its record. A line that cannot be read leaves a row without symbols; a sound that is bad
/// or has no frame leaves one without samples.
ListingWriter list_clips(const ListingSources& sources);

}  // namespace seda::feed
