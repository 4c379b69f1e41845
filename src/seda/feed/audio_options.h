// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "seda/audio/mel_options.h"
#include "seda/audio/sound_options.h"
#include "seda/base/json.h"
#include "seda/config/config.h"

namespace seda::feed {

/// What the cache keeps of a clip's sound.
enum class AudioKind {
  mel,    ///< Log-mel spectrograms, ready to train on.
  pcm16,  ///< Samples; whoever reads them makes the mel.
};
std::string_view to_string(AudioKind kind);

/// How a changed audio file is noticed.
enum class FileIdentity {
  stat,     ///< By its path below the corpus, its size and its time of change.
  content,  ///< By its bytes: a file that was touched, moved or renamed is the same.
};
std::string_view to_string(FileIdentity identity);

/// What the keys `data.mel.*` and `data.audio.*`, and how sound is kept, ask for.
struct AudioOptions {
  audio::SoundOptions sound;
  audio::MelOptions mel;
  AudioKind kind = AudioKind::mel;
  FileIdentity identity = FileIdentity::stat;

  bool operator==(const AudioOptions&) const = default;
};

/// The preset, then the keys that change parts of it. What the preset says of fmax is cut to half
/// the sample rate (of fullband it is that half), what it says of win_length to n_fft.
audio::MelOptions mel_options(const config::Config& config);

/// At the sample rate of the mel.
audio::SoundOptions sound_options(const config::Config& config);

/// `data.preprocessing_mode`: precompute keeps mels, on_the_fly keeps samples; where neither was
/// said, samples where a GPU can make the mels.
AudioKind audio_kind(const config::Config& config, bool has_gpu);

/// All of it. Checked: an Error(config) names what cannot be.
AudioOptions audio_options(const config::Config& config, bool has_gpu);

/// What decides the content of the records of a table "audio", and what they are found by.
Json audio_description(const AudioOptions& options);

}  // namespace seda::feed
