// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/result.h"

namespace seda::corpus {

/// One sentence as sound: mono.
struct Speech {
  std::vector<int16_t> samples;
  int sample_rate = 0;
};

/// Somebody who reads aloud. Thread-safe.
class Voice {
 public:
  virtual ~Voice() = default;

  /// The same text and seed give the same samples, whatever else was or is being said.
  ///
  /// Text that this voice cannot read as it stands is a fault without an id: `text_unspeakable`,
  /// `text_too_long`, or `clip_silent` where all that came was silence.
  virtual Result<Speech> speak(const std::string& text, uint64_t seed) const = 0;

  /// As given on the command line; the speaker's name in the corpus.
  const std::string& name() const noexcept { return name_; }

 protected:
  explicit Voice(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

using Voices = std::vector<std::unique_ptr<Voice>>;

/// Names of flite's voices: slt, rms, awb, kal16.
std::vector<std::string> flite_voice_names();

/// The voices a language has when none are named: one, or several for a corpus of speakers. A
/// region without a voice of its own ("fa-IR") has those of its language.
std::vector<std::string> default_voices(std::string_view language, bool several);

/// Makes the voices of `names`, in that order. A name twice, or none of flite's for English, is an
/// Error(usage) with the nearest; a voice that espeak-ng lacks is an Error(unavailable).
Voices make_voices(std::string_view language, const std::vector<std::string>& names);

}  // namespace seda::corpus
