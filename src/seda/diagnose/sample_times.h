// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "seda/audio/sound_options.h"
#include "seda/dataset/utterance.h"
#include "seda/feed/text_options.h"

namespace seda::diagnose {

/// How long the text frontend takes where it remembers nothing.
struct TextTimes {
  size_t lines = 0;
  double per_line_s = 0;
  double total_s = 0;  ///< Of those lines.
};

/// How long sound files take to be read and decoded.
struct AudioTimes {
  size_t files = 0;      ///< Read.
  size_t bad = 0;        ///< Faults; not in the times.
  double load_s = 0;     ///< Mean of a file.
  double variation = 0;  ///< std / mean.
  uint64_t bytes = 0;    ///< Of the files that were read.
};

/// Up to `most` of `count` places, evenly spread.
std::vector<size_t> spread_places(size_t count, size_t most);

/// One thread, after a line to load what the frontend needs.
TextTimes time_text(std::span<const dataset::Utterance> utterances,
                    const feed::TextOptions& options, size_t most = 200);

/// One thread, with the page cache as it is; `cold`: with the files dropped from it first.
AudioTimes time_audio(std::span<const dataset::Utterance> utterances,
                      const audio::SoundOptions& options, bool cold, size_t most = 100);

}  // namespace seda::diagnose
