// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "seda/audio/sound_options.h"
#include "seda/base/progress.h"
#include "seda/dataset/utterance.h"

namespace seda::diagnose {

/// Below this a clip holds hardly a word.
constexpr double kShortSeconds = 0.3;
/// Below this share of full scale all of a clip is silence (-60 dB).
constexpr double kSilentPeak = 1e-3;
/// From this share of samples at full scale on, a clip was clipped when it was recorded.
constexpr double kClippedShare = 1e-3;

/// What the sound files of a corpus are like; clips, with the id of the first of each oddity.
struct SoundSurvey {
  struct Oddity {
    size_t clips = 0;
    std::string example;
  };

  size_t looked_at = 0;
  std::map<int, size_t> rates;     ///< Clips of each sample rate, Hz,
  std::map<int, size_t> channels;  ///< and of each number of channels.
  Oddity unreadable;               ///< Faults; in none of the others.
  Oddity silent;
  Oddity clipped;
  Oddity brief;     ///< Shorter than `kShortSeconds`.
  Oddity low_rate;  ///< Recorded at less than the rate that is asked for.
};

struct SurveyOptions {
  audio::SoundOptions sound;
  size_t most = std::numeric_limits<size_t>::max();  ///< Clips, evenly spread.
  int threads = 0;                                   ///< 0: all cores.
  ProgressStyle progress = ProgressStyle::quiet;
};

/// Decodes clips. Ctrl-C is an Error(interrupted).
SoundSurvey survey_sounds(std::span<const dataset::Utterance> utterances,
                          const SurveyOptions& options);

}  // namespace seda::diagnose
