// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/synthesizer.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/base/log.h"
#include "seda/speak/names.h"
#include "seda/speak/reference.h"

namespace seda::speak {
namespace {

/// Batches whose sentences are sorted by length together.
constexpr size_t kSortedBatches = 8;

template <typename T>
void check_range(std::string_view name, T value, T least, T most) {
  if (value >= least && value <= most) return;  // not a number is neither
  throw_error(ErrorKind::usage, "{}: expected {} to {}, found {}", name, least, most, value);
}

/// "en" of "en-us".
std::string_view without_region(std::string_view language) {
  return language.substr(0, language.find('-'));
}

std::string listed(const std::map<std::string, size_t>& symbols) {
  std::string out;
  for (const auto& [symbol, count] : symbols)
    out += fmt::format("{}'{}' ({})", out.empty() ? "" : ", ", symbol, count);
  return out;
}

void report(const Script& script, size_t number) {
  if (!script.unknown.empty()) {
    size_t count = 0;
    for (const auto& [symbol, times] : script.unknown)
      count += times;
    log::warning("text {}: left out {} symbols that the voice does not know: {}", number, count,
                 listed(script.unknown));
  }
  if (script.unspoken > 0) {
    log::warning("text {}: nothing to say in {} of its sentences", number, script.unspoken);
  }
}

}  // namespace

void check(const SynthesisOptions& options) {
  check_range("--speaking-rate", options.speech.rate, 0.25, 4.0);
  check_range("--temperature", options.speech.temperature, 0.0, 2.0);
  check_range("--steps", options.speech.steps, 1, 1000);
  check_range("--guidance", options.speech.guidance, 0.0, 20.0);
  check_range("--batch-size", options.batch_size, 1, 1024);
  check_range("--pause", options.join.pause_s, 0.0, 60.0);
  if (options.reference && !options.speaker.empty()) {
    throw_error(ErrorKind::usage,
                "--speaker and --reference-audio both say who speaks; give one of them");
  }
}

/// What one call of `speak` works with.
struct Synthesizer::Performance {
  const Instruments& instruments;
  const std::function<void(size_t)>& progress;
  SteadyClock clock;
  SpeakingTimes times;

  /// Adds the seconds that `work` takes to `sum`.
  template <typename Work>
  auto timed(double& sum, Work work) {
    const int64_t begin = clock.now_ns();
    auto made = work();
    sum += static_cast<double>(clock.now_ns() - begin) * 1e-9;
    return made;
  }
};

/// A sentence among all texts.
struct Synthesizer::Place {
  size_t text = 0;
  const Sentence* sentence = nullptr;
  bool last = false;
};

Synthesizer::Synthesizer(const train::VoiceDescription& description, const text::Frontend& frontend,
                         SynthesisOptions options)
    : description_(description), frontend_(frontend), options_(std::move(options)) {
  check(options_);
  if (!options_.speaker.empty())
    speaker_ = find_name("speaker", options_.speaker, description_.speakers);
  if (!options_.language.empty()) {
    language_row_ = find_name("language", options_.language, description_.languages);
    language_ = description_.languages[static_cast<size_t>(*language_row_)];
  }
  if (options_.reference) reference_ = read_reference(*options_.reference, description_.mel);
}

std::vector<Script> Synthesizer::read(std::span<const std::string> texts) const {
  const int64_t most = description_.config.integer("data.max_text_length");
  std::vector<Script> scripts;
  for (const std::string& text : texts) {
    scripts.push_back(read_script(text, frontend_, language_, static_cast<size_t>(most)));
    report(scripts.back(), scripts.size());
  }
  return scripts;
}

int32_t Synthesizer::language_of(const Sentence& sentence) const {
  if (language_row_) return *language_row_;
  const auto& names = description_.languages;
  auto found = std::ranges::find(names, sentence.language);
  if (found == names.end()) {
    found = std::ranges::find(names, without_region(sentence.language), without_region);
  }
  if (found != names.end()) return static_cast<int32_t>(found - names.begin());
  if (!names.empty() && !names[0].empty()) {
    log::warning(
        "'{}' was taken for {}, which the voice does not speak; it is spoken as {} "
        "(--language says otherwise)",
        sentence.text, sentence.language, names[0]);
  }
  return 0;
}

model::SpeechRequest Synthesizer::request(const Sentence& sentence) const {
  return {sentence.tokens, speaker_, language_of(sentence), reference_};
}

std::vector<std::vector<float>> Synthesizer::speak_batch(std::span<const Place> window,
                                                         std::span<const size_t> batch,
                                                         Performance& performance) const {
  const Instruments& instruments = performance.instruments;
  std::vector<model::SpeechRequest> requests;
  for (const size_t i : batch)
    requests.push_back(request(*window[i].sentence));
  auto spoken = performance.timed(performance.times.voice_s, [&] {
    return instruments.voice.speak(requests, options_.speech);
  });
  std::vector<model::MelData> mels;
  mels.reserve(spoken.size());
  for (model::SpokenMel& one : spoken)
    mels.push_back(std::move(one.mel));
  return performance.timed(performance.times.vocoder_s,
                           [&] { return instruments.vocoder.apply(mels); });
}

std::vector<std::vector<float>> Synthesizer::speak_window(std::span<const Place> window,
                                                          Performance& performance) const {
  std::vector<size_t> order(window.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(
      order, {}, [&](size_t i) { return std::pair(-std::ssize(window[i].sentence->tokens), i); });
  std::vector<std::vector<float>> sounds(window.size());
  const auto batch_size = static_cast<size_t>(options_.batch_size);
  for (std::span<const size_t> left = order; !left.empty();) {
    throw_if_interrupted();
    const auto batch = left.first(std::min(batch_size, left.size()));
    auto spoken = speak_batch(window, batch, performance);
    for (size_t i = 0; i < batch.size(); ++i)
      sounds[batch[i]] = std::move(spoken[i]);
    if (performance.progress) performance.progress(batch.size());
    left = left.subspan(batch.size());
  }
  return sounds;
}

SpeakingTimes Synthesizer::speak(std::span<const Script> scripts, const Instruments& instruments,
                                 const std::function<void(const Speech&)>& take,
                                 const std::function<void(size_t)>& progress) const {
  Performance performance{
      .instruments = instruments, .progress = progress, .clock = {}, .times = {}};
  std::vector<Place> places;
  for (size_t text = 0; text < scripts.size(); ++text) {
    for (const Sentence& sentence : scripts[text].sentences)
      places.push_back({text, &sentence, &sentence == &scripts[text].sentences.back()});
  }
  const auto batch_size = static_cast<size_t>(options_.batch_size);
  const size_t window = batch_size == 1 ? 1 : batch_size * kSortedBatches;
  Joiner joiner(options_.join, description_.mel.sample_rate);
  for (std::span<const Place> left = places; !left.empty();) {
    const auto now = left.first(std::min(window, left.size()));
    const auto sounds = speak_window(now, performance);
    for (size_t i = 0; i < now.size(); ++i) {
      take({now[i].text, joiner.add(sounds[i]), now[i].last});
      if (now[i].last) joiner = Joiner(options_.join, description_.mel.sample_rate);
    }
    left = left.subspan(now.size());
  }
  return performance.times;
}

}  // namespace seda::speak
