// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/detail/voices.h"
#include "seda/corpus/load_voices.h"

namespace seda::corpus::detail {
namespace {

class FliteVoice final : public Voice {
 public:
  FliteVoice(const std::string& name, int number) : Voice(name), number_(number) {}

  Result<Speech> speak(const std::string& text, uint64_t seed) const override {
    if (auto fault = check_length(text)) return *fault;
    const auto ascii = to_ascii(text);
    if (!ascii) return ascii.fault();
    size_t count = 0;
    Speech speech;
    const int16_t* samples =
        library_.speak(number_, ascii.value().c_str(), seed, &count, &speech.sample_rate);
    if (samples == nullptr) return Fault{"", "text_unspeakable", "flite could not read the text"};
    speech.samples.assign(samples, samples + count);
    library_.release(samples);
    if (is_silent(speech.samples)) {
      return Fault{"", "clip_silent", "expected speech, found silence"};
    }
    return speech;
  }

 private:
  const VoicesLibrary& library_ = load_voices();
  int number_;
};

}  // namespace

std::unique_ptr<Voice> make_flite_voice(const std::string& name, int number) {
  return std::make_unique<FliteVoice>(name, number);
}

}  // namespace seda::corpus::detail
