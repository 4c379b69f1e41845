// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "seda/text/espeak_location.h"

namespace seda::text {

/// A private copy of espeak-ng that speaks one voice.
///
/// The library keeps its state in globals, so every copy is loaded from memory of its own: copies
/// work side by side, one thread in each at a time. Making one costs about 4 ms; switching a
/// voice leaks, so none ever does. espeak-ng is not part of seda (it is GPL) and is only opened
/// while the program runs.
class Espeak {
 public:
  /// An unknown voice is an Error(unavailable) that says so.
  Espeak(const EspeakLocation& location, const std::string& voice);
  ~Espeak();
  Espeak(const Espeak&) = delete;
  Espeak& operator=(const Espeak&) = delete;

  /// IPA of some words, as espeak-ng writes it: stress marks, words apart by spaces. Punctuation is
  /// lost; language switches are marked `(en)`. Callers split both off before.
  std::string phonemes(const std::string& words);

  /// Mono samples at `sample_rate()`. Empty for text that has no sound in this voice.
  std::vector<int16_t> speak(const std::string& words);

  int sample_rate() const noexcept;
  /// For example "1.51".
  const std::string& version() const noexcept;

 private:
  class Library;
  std::unique_ptr<Library> library_;
};

}  // namespace seda::text
