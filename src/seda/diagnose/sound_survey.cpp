// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/sound_survey.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "seda/audio/sound_reader.h"
#include "seda/base/clock.h"
#include "seda/base/parallel.h"
#include "seda/base/per_thread.h"
#include "seda/diagnose/sample_times.h"

namespace seda::diagnose {
namespace {

constexpr int kFullScale = 32767;

/// What one clip is like.
struct Look {
  int rate = 0;
  int channels = 0;
  bool readable = false;
  bool silent = false;
  bool clipped = false;
  bool brief = false;
};

Look look_at(const audio::Sound& sound, int rate) {
  int peak = 0;
  size_t at_limit = 0;
  for (const int16_t sample : sound.samples) {
    const int level = std::abs(int{sample});
    peak = std::max(peak, level);
    at_limit += level >= kFullScale ? 1 : 0;
  }
  const auto samples = static_cast<double>(sound.samples.size());
  Look look;
  look.readable = true;
  look.rate = sound.source.sample_rate;
  look.channels = sound.source.channels;
  look.silent = peak < kSilentPeak * kFullScale;
  look.clipped = static_cast<double>(at_limit) > kClippedShare * samples;
  look.brief = samples < kShortSeconds * rate;
  return look;
}

void count(SoundSurvey::Oddity& oddity, bool found, const std::string& id) {
  if (!found) return;
  if (oddity.clips++ == 0) oddity.example = id;
}

void add(SoundSurvey& survey, const Look& look, const std::string& id, int rate) {
  ++survey.looked_at;
  count(survey.unreadable, !look.readable, id);
  if (!look.readable) return;
  ++survey.rates[look.rate];
  ++survey.channels[look.channels];
  count(survey.silent, look.silent, id);
  count(survey.clipped, look.clipped, id);
  count(survey.brief, look.brief, id);
  count(survey.low_rate, look.rate < rate, id);
}

struct Worker {
  std::optional<audio::SoundReader> reader;
};

}  // namespace

SoundSurvey survey_sounds(std::span<const dataset::Utterance> utterances,
                          const SurveyOptions& options) {
  const std::vector<size_t> places = spread_places(utterances.size(), options.most);
  std::vector<Look> looks(places.size());
  PerThread<Worker> workers;
  const SteadyClock clock;
  LogProgressSink sink;
  Progress progress({"decode", "clips", places.size(), options.progress, terminal_width()}, clock,
                    sink);
  const int rate = options.sound.sample_rate;
  parallel_for(places.size(), {.threads = options.threads, .grain = 4, .name = "survey"},
               [&](size_t begin, size_t end) {
                 Worker& worker = workers.local();
                 if (!worker.reader) worker.reader.emplace(options.sound);
                 for (size_t i = begin; i < end; ++i) {
                   const auto sound = worker.reader->read(utterances[places[i]].audio);
                   if (sound) looks[i] = look_at(sound.value(), rate);
                 }
                 progress.advance(end - begin);
               });
  SoundSurvey survey;
  for (size_t i = 0; i < places.size(); ++i)
    add(survey, looks[i], utterances[places[i]].id, rate);
  return survey;
}

}  // namespace seda::diagnose
