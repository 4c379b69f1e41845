// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_plan.h"

#include <algorithm>
#include <unordered_set>

#include "seda/audio/wav_info.h"
#include "seda/base/parallel.h"
#include "seda/feed/audio_record.h"
#include "seda/feed/sound_keys.h"

namespace seda::feed {
namespace {

constexpr double kCompressedBytesPerSecond = 8000;

struct LowBits {
  size_t operator()(const cache::Key& key) const noexcept { return key.low; }
};

SoundPlace place_of(const std::optional<cache::Entry>& entry) {
  if (!entry) return {};
  const auto shape = audio_shape(*entry);
  if (!shape) return {};
  return {entry->address, shape->samples, true};
}

/// A file that could not be opened has left no record.
bool could_not_be_opened(const Previous& previous, const ClipRow* before) {
  return previous.is_current() && before != nullptr && before->audio_part == 0;
}

std::string reason_of(const Previous& previous, const ClipRow* before, const cache::Key& key) {
  return could_not_be_opened(previous, before) ? "audio: could not be read before"
                                               : previous.reason(before, key);
}

double length_of(const dataset::Utterance& utterance) {
  return utterance.duration_s.value_or(static_cast<double>(utterance.audio_bytes) /
                                       kCompressedBytesPerSecond);
}

}  // namespace

AudioPlan plan_sounds(const dataset::Corpus& corpus, const AudioOptions& options,
                      const Previous& previous, const AudioPlanOptions& how) {
  AudioPlan plan;
  if (options.identity == FileIdentity::content) {
    const Previous* known = how.force ? nullptr : &previous;
    plan.keys = content_keys(corpus, known, how.threads, how.progress);
  } else {
    plan.keys = stat_keys(corpus);
  }
  plan.places.resize(plan.keys.size());
  std::unordered_set<cache::Key, LowBits> taken;
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    const cache::Key& key = plan.keys[i];
    const ClipRow* before = previous.find(i, corpus.utterances[i].id);
    plan.places[i] = place_of(previous.entry(before, key));
    const bool found = plan.places[i].found;
    if ((found && !how.force) || !taken.insert(key).second) continue;
    plan.missing.push_back(i);
    if (!found && could_not_be_opened(previous, before)) plan.retried.push_back(i);
    ++plan.reasons[found ? "audio: forced" : reason_of(previous, before, key)];
  }
  return plan;
}

void find_places(AudioPlan& plan, const cache::Table& table) {
  for (size_t i = 0; i < plan.keys.size(); ++i)
    plan.places[i] = place_of(table.find(plan.keys[i]));
}

void fill_durations(std::vector<dataset::Utterance>& utterances, const AudioPlan& plan,
                    int sample_rate, int threads) {
  for (size_t i = 0; i < utterances.size(); ++i) {
    if (!plan.places[i].found) continue;
    utterances[i].duration_s = static_cast<double>(plan.places[i].samples) / sample_rate;
  }
  parallel_for(plan.missing.size(), {.threads = threads, .grain = 64, .name = "length"},
               [&](size_t begin, size_t end) {
                 for (size_t i = begin; i < end; ++i) {
                   dataset::Utterance& utterance = utterances[plan.missing[i]];
                   if (utterance.duration_s) continue;
                   if (const auto info = audio::read_wav_info(utterance.audio)) {
                     utterance.duration_s = info->seconds();
                   }
                 }
               });
}

void order_by_length(AudioPlan& plan, const std::vector<dataset::Utterance>& utterances) {
  std::ranges::sort(plan.missing, [&](size_t a, size_t b) {
    const double longer = length_of(utterances[a]);
    const double shorter = length_of(utterances[b]);
    return longer != shorter ? longer > shorter : a < b;
  });
}

}  // namespace seda::feed
