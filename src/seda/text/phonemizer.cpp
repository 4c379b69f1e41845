// SPDX-License-Identifier: Apache-2.0
#include "seda/text/phonemizer.h"

#include <utility>

#include "seda/base/error.h"
#include "seda/text/script.h"

namespace seda::text {

/// Copies of espeak-ng that speak one voice: those that no call has borrowed.
class Phonemizer::Voice {
 public:
  Voice(const EspeakLocation& location, std::string name)
      : location_(location), name_(std::move(name)) {}

  std::unique_ptr<Espeak> take() {
    {
      const MutexLock lock(mutex_);
      if (!idle_.empty()) {
        auto copy = std::move(idle_.back());
        idle_.pop_back();
        return copy;
      }
    }
    return std::make_unique<Espeak>(location_, name_);
  }

  void give_back(std::unique_ptr<Espeak> copy) {
    const MutexLock lock(mutex_);
    idle_.push_back(std::move(copy));
  }

 private:
  const EspeakLocation& location_;
  const std::string name_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Espeak>> idle_ SEDA_GUARDED_BY(mutex_);
};

/// One copy, given back at the end.
class Phonemizer::Loan {
 public:
  explicit Loan(Voice& voice) : voice_(voice), copy_(voice.take()) {}
  ~Loan() { voice_.give_back(std::move(copy_)); }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  Espeak* operator->() const { return copy_.get(); }

 private:
  Voice& voice_;
  std::unique_ptr<Espeak> copy_;
};

Phonemizer::Phonemizer() : location_(find_espeak()) {
  auto english = std::make_unique<Voice>(location_, voice_of("en"));
  {
    const Loan copy(*english);
    version_ = copy->version();
  }
  const MutexLock lock(mutex_);
  voices_.emplace("en", std::move(english));
}

Phonemizer::~Phonemizer() = default;

Phonemizer::Voice* Phonemizer::find_voice(const std::string& language) const {
  const MutexLock lock(mutex_);
  const auto found = voices_.find(language);
  if (found != voices_.end()) return found->second.get();
  auto voice = std::make_unique<Voice>(location_, voice_of(language));
  try {
    voice->give_back(voice->take());
  } catch (const Error&) {
    voice = nullptr;
  }
  return voices_.emplace(language, std::move(voice)).first->second.get();
}

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

std::string Phonemizer::speak(const Run& run, std::string_view main_language) const {
  if (!run.spoken) return std::string(run.text);
  Voice* const voice = find_voice(run.language);
  if (voice != nullptr) {
    return in_ipa(Loan(*voice)->phonemes(std::string(run.text)), run.language);
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
