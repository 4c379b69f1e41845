// SPDX-License-Identifier: Apache-2.0
#include "seda/text/phonemizer.h"

#include <utility>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/text/script.h"

namespace seda::text {
namespace {

/// espeak-ng has no IPA for one Persian consonant and writes its own name of it.
std::string in_ipa(std::string phonemes, std::string_view language) {
  constexpr std::string_view kName = "q1";
  if (primary_language(language) != "fa") return phonemes;
  for (size_t at = 0; (at = phonemes.find(kName, at)) != std::string::npos;)
    phonemes.replace(at, kName.size(), "ɢ");
  return phonemes;
}

}  // namespace

Phonemizer::Phonemizer() : location_(find_espeak()) {
  auto english = std::make_unique<Espeak>(location_, voices_of("en").front());
  version_ = english->version();
  voices_.local().copies.emplace("en", std::move(english));
}

Phonemizer::~Phonemizer() = default;

Espeak* Phonemizer::voice(const std::string& language) const {
  auto& copies = voices_.local().copies;
  const auto known = copies.find(language);
  if (known != copies.end()) return known->second.get();
  return copies.emplace(language, open_voice(language)).first->second.get();
}

std::unique_ptr<Espeak> Phonemizer::open_voice(const std::string& language) const {
  for (const std::string& name : voices_of(language)) {
    try {
      return std::make_unique<Espeak>(location_, name);
    } catch (const Error& error) {
      log::debug("{}", error.what());
    }
  }
  return nullptr;
}

std::string Phonemizer::speak(const Run& run, std::string_view main_language) const {
  if (!run.spoken) return std::string(run.text);
  if (Espeak* const espeak = voice(run.language)) {
    return in_ipa(espeak->phonemes(std::string(run.text)), run.language);
  }
  if (run.language != main_language) return std::string(run.text);
  throw_error(
      ErrorKind::unavailable,
      "espeak-ng {} has no voice for the language '{}'; 'espeak-ng --voices' lists those it "
      "has (package espeak-ng-data); set data.text.language, or data.text.phonemes: false "
      "to speak in letters",
      version_, main_language);
}

std::string Phonemizer::apply(std::string_view text, std::string_view language) const {
  std::string phonemes;
  for (const Run& run : split_runs(text, language))
    phonemes += speak(run, language);
  return phonemes;
}

}  // namespace seda::text
