// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "seda/base/per_thread.h"
#include "seda/text/espeak.h"
#include "seda/text/runs.h"

namespace seda::text {

/// Text to IPA through espeak-ng, punctuation kept in place.
///
/// Thread-safe, without a lock: each thread has its own copy of espeak-ng for each voice it has
/// met. The copies of a thread that ends go to the next that begins, so there are never more than
/// threads at a time, and memory stays flat however many lines are read.
class Phonemizer {
 public:
  /// espeak-ng missing is an Error(unavailable) that names the packages.
  Phonemizer();
  ~Phonemizer();

  /// IPA with stress marks. A region without a voice of its own ("fa-IR", "sv-SE") is spoken by its
  /// language's. No voice at all is an Error(unavailable) for the line's own language; a stretch in
  /// another script stays as it is when nobody can speak it.
  std::string apply(std::string_view text, std::string_view language) const;

  /// Whether there is a voice for the language.
  bool speaks(const std::string& language) const { return voice(language) != nullptr; }

  /// Version of espeak-ng; part of every fingerprint.
  const std::string& espeak_version() const noexcept { return version_; }

 private:
  /// By language; null where espeak-ng has no such voice.
  struct Voices {
    std::map<std::string, std::unique_ptr<Espeak>, std::less<>> copies;
  };

  /// The calling thread's copy; null where espeak-ng has no such voice.
  Espeak* voice(const std::string& language) const;
  std::unique_ptr<Espeak> open_voice(const std::string& language) const;
  std::string speak(const Run& run, std::string_view main_language) const;

  EspeakLocation location_;
  std::string version_;
  mutable PerThread<Voices> voices_;
};

/// Version of the splitting and of the choice of voices; part of every fingerprint.
constexpr int kPhonemizerVersion = 2;

}  // namespace seda::text
