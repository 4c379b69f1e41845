// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "seda/audio/mel_options.h"
#include "seda/dataset/utterance.h"
#include "seda/feed/listing.h"

namespace seda::feed {

/// What room a clip takes in a batch.
struct ClipLength {
  uint32_t row = 0;    ///< Of the listing.
  int32_t tokens = 0;  ///< Blanks counted; at least 1.
  int32_t frames = 0;  ///< Of its mel spectrogram; at least 1.

  bool operator==(const ClipLength&) const = default;
};

/// What happens to a clip over a limit: it is left out, or what is too much of it is.
enum class Overlong { skip, truncate };

/// The longest clip that is fed.
struct LengthLimits {
  int max_symbols = 200;  ///< Blanks not counted.
  int max_frames = 800;
  Overlong overlong = Overlong::skip;

  bool operator==(const LengthLimits&) const = default;
};

/// What became of the clips of a split. `clips` and everything skipped, unusable and silent add up
/// to its rows.
struct LengthReport {
  size_t clips = 0;         ///< Fed, whole or cut.
  size_t skipped_text = 0;  ///< Text too long, whatever the sound.
  size_t skipped_mel = 0;   ///< Sound too long, text not.
  size_t cut_text = 0;
  size_t cut_mel = 0;   ///< A clip may be cut in both.
  size_t unusable = 0;  ///< No sound, or too little of it for one frame.
  size_t silent = 0;    ///< Nothing to speak.

  bool operator==(const LengthReport&) const = default;
};

struct ClipLengths {
  std::vector<ClipLength> clips;  ///< In the order of the rows.
  LengthReport report;
};

/// Lengths of the clips of one split that can be fed. A few nanoseconds a row.
ClipLengths clip_lengths(std::span<const ClipRow> rows, dataset::Split split,
                         const audio::MelOptions& mel, const LengthLimits& limits);

/// Error(check_failed) that says what to do where there is no clip at all.
void require_clips(std::span<const ClipLength> lengths);

/// Tokens of so many symbols, with a blank before, between and after them where asked for.
int tokens_of(int symbols, bool add_blank);

}  // namespace seda::feed
