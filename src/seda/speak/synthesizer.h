// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seda/model/speech_request.h"
#include "seda/speak/join.h"
#include "seda/speak/script.h"
#include "seda/speak/vocoder.h"
#include "seda/text/frontend.h"
#include "seda/train/voice.h"
#include "seda/train/voice_description.h"

namespace seda::speak {

struct SynthesisOptions {
  model::SpeechOptions speech;
  std::string speaker;   ///< Name or number; empty: the first.
  std::string language;  ///< Name or number; empty: detected, sentence by sentence.
  std::optional<std::filesystem::path> reference;  ///< A clip to speak like; not with `speaker`.
  JoinOptions join;
  int batch_size =
      16;  ///< Sentences spoken together; 1: each is given out as soon as it is spoken.
};

/// Error(usage) that names the first value that cannot be: rates outside 0.25–4, temperatures
/// outside 0–2, steps outside 1–1000, guidance outside 0–20, batches outside 1–1024, pauses outside
/// 0–60 s, a speaker with a reference.
void check(const SynthesisOptions& options);

/// A piece of the sound of a text.
struct Speech {
  size_t text = 0;  ///< Which.
  std::span<const float> samples;
  bool last = false;  ///< Of this text.
};

/// Where the time went; the rest of it was the reader's and the taker's.
struct SpeakingTimes {
  double voice_s = 0;    ///< Tokens to mels.
  double vocoder_s = 0;  ///< Mels to sound.
};

/// What speaks.
struct Instruments {
  train::Voice& voice;
  Vocoder& vocoder;
};

/// Text → sound: sentences, tokens, the voice, the vocoder, one sound.
///
/// One thread. Sentences of like length are spoken together, and given out in order. With a batch
/// of one, samples of a sentence do not depend on the others. Ctrl-C between two batches, and
/// wherever the instruments heed it, is an Error(interrupted).
class Synthesizer {
 public:
  /// `description` and `frontend` outlive it. Checks the options, finds speaker and language, reads
  /// the reference.
  Synthesizer(const train::VoiceDescription& description, const text::Frontend& frontend,
              SynthesisOptions options);

  /// Reads the texts; what was left out of them is a warning. Errors of `read_script`.
  std::vector<Script> read(std::span<const std::string> texts) const;

  /// Speaks them: `take` gets the pieces of the first, then of the second, …; `progress`, where
  /// given, how many sentences were spoken since it was called last.
  SpeakingTimes speak(std::span<const Script> scripts, const Instruments& instruments,
                      const std::function<void(const Speech&)>& take,
                      const std::function<void(size_t)>& progress = {}) const;

 private:
  struct Place;
  struct Performance;

  model::SpeechRequest request(const Sentence& sentence) const;
  int32_t language_of(const Sentence& sentence) const;
  std::vector<std::vector<float>> speak_window(std::span<const Place> window,
                                               Performance& performance) const;
  std::vector<std::vector<float>> speak_batch(std::span<const Place> window,
                                              std::span<const size_t> batch,
                                              Performance& performance) const;

  const train::VoiceDescription& description_;
  const text::Frontend& frontend_;
  SynthesisOptions options_;
  int32_t speaker_ = 0;
  std::string language_;  // empty: detected
  std::optional<int32_t> language_row_;
  model::MelData reference_;
};

}  // namespace seda::speak
