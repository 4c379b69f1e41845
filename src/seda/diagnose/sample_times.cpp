// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/sample_times.h"

#include <algorithm>

#include "seda/audio/sound_reader.h"
#include "seda/base/clock.h"
#include "seda/base/interrupt.h"
#include "seda/base/page_cache.h"
#include "seda/base/stats.h"

namespace seda::diagnose {
namespace {

/// A frontend that remembers nothing. Where its tokenizer is learned from the corpus, it ends
/// before tokens: a few µs of a line.
text::Frontend fresh_frontend(const feed::TextOptions& options) {
  text::FrontendOptions frontend = options.frontend;
  frontend.memo_capacity = 0;
  auto tokenizer = feed::ready_tokenizer(options);
  if (!tokenizer) frontend.stage = std::min(frontend.stage, text::Stage::phonemes);
  return {frontend, std::move(tokenizer)};
}

}  // namespace

std::vector<size_t> spread_places(size_t count, size_t most) {
  const size_t taken = std::min(count, most);
  std::vector<size_t> out(taken);
  for (size_t i = 0; i < taken; ++i)
    out[i] = i * count / taken;
  return out;
}

TextTimes time_text(std::span<const dataset::Utterance> utterances,
                    const feed::TextOptions& options, size_t most) {
  TextTimes out;
  if (utterances.empty()) return out;
  const text::Frontend frontend = fresh_frontend(options);
  const std::vector<size_t> places = spread_places(utterances.size(), most);
  frontend.apply(utterances[places.front()].text + " ", utterances[places.front()].language);
  const Stopwatch time;
  for (const size_t place : places) {
    throw_if_interrupted();
    frontend.apply(utterances[place].text, utterances[place].language);
  }
  out.total_s = time.seconds();
  out.lines = places.size();
  out.per_line_s = out.total_s / static_cast<double>(out.lines);
  return out;
}

AudioTimes time_audio(std::span<const dataset::Utterance> utterances,
                      const audio::SoundOptions& options, bool cold, size_t most) {
  AudioTimes out;
  audio::SoundReader reader(options);
  Statistics times;
  for (const size_t place : spread_places(utterances.size(), most)) {
    throw_if_interrupted();
    const dataset::Utterance& utterance = utterances[place];
    if (cold) drop_page_cache(utterance.audio);
    const Stopwatch time;
    const bool good = reader.read(utterance.audio).ok();
    if (good) times.add(time.seconds());
    if (good) out.bytes += utterance.audio_bytes;
    out.bad += good ? 0 : 1;
  }
  out.files = times.count();
  if (out.files == 0) return out;
  out.load_s = times.mean();
  out.variation = times.variation();
  return out;
}

}  // namespace seda::diagnose
