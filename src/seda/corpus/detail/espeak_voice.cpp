// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/detail/noise.h"
#include "seda/corpus/detail/voices.h"
#include "seda/text/espeak.h"

namespace seda::corpus::detail {
namespace {

class EspeakVoice final : public Voice {
 public:
  explicit EspeakVoice(const std::string& name) : Voice(name), location_(text::find_espeak()) {
    const text::Espeak tried(location_, name);  // an unknown voice is found out here
  }

  Result<Speech> speak(const std::string& text, uint64_t seed) const override {
    if (auto fault = check_length(text)) return *fault;
    text::Espeak espeak(location_, name());
    seed_noise(seed);
    Speech speech{espeak.speak(text), espeak.sample_rate()};
    if (is_silent(speech.samples)) {
      return Fault{"", "clip_silent", "expected speech, found silence from espeak-ng"};
    }
    return speech;
  }

 private:
  text::EspeakLocation location_;
};

}  // namespace

std::unique_ptr<Voice> make_espeak_voice(const std::string& name) {
  return std::make_unique<EspeakVoice>(name);
}

}  // namespace seda::corpus::detail
