// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/remedies.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/clock.h"
#include "seda/diagnose/evidence.h"
#include "seda/diagnose/figures.h"
#include "seda/diagnose/verdict.h"
#include "seda/feed/feed_plan.h"

namespace seda::diagnose {
namespace {

constexpr int kMostJudgements = 4;
constexpr double kShort = 1.5;  // seconds of a run
constexpr double kLong = 3;
constexpr double kLongest = 5;       // where it must meet one clip
constexpr double kMostSeconds = 12;  // no other remedy is tried after so long
constexpr double kBatches = 24;      // of a run, where they are slow
constexpr double kHelps = 1.02;

config::Config with_number(const config::Config& config, const char* key, int value) {
  return with_setting(config, key, std::to_string(value));
}

/// A run must see what it is about: several batches and, where one clip is the trouble, that clip.
double seconds_of_a_run(const Situation& now, Cause cause) {
  const auto batches = static_cast<double>(std::max<uint64_t>(1, now.loader.batches));
  const double batch_s = now.loader.seconds / batches;
  if (cause == Cause::slow_clip) return std::clamp(now.loader.seconds, kShort, kLongest);
  return std::clamp(kBatches * batch_s, kShort, kLong);
}

/// What can be said only by a run with the other setting, before anything is judged.
void try_what_is_off(Situation& now, const config::Config& config, Lab& lab) {
  if (!now.settings.native) {
    now.native_rate = lab.run(with_setting(config, "data.native_loading", "true")).clips_per_second;
  }
  if (now.settings.data_on_gpu && !now.settings.pinned) {
    now.pinned_rate =
        lab.compare(with_setting(config, "data.pin_memory", "true")).after.clips_per_second;
  }
}

/// What the suspicion asks for; false where it asks for nothing more.
bool try_suspicion(Situation& now, Cause cause, const config::Config& config, Lab& lab) {
  const bool needs_workers = cause == Cause::too_few_workers || cause == Cause::slow_storage;
  if (needs_workers && !now.more_workers_rate) {
    now.more_workers = more_workers_than(now.loader.workers);
    now.more_workers_rate =
        lab.run(with_number(config, "data.num_workers", now.more_workers)).clips_per_second;
    return true;
  }
  if (cause == Cause::ring_too_small && !now.larger_ring_rate) {
    now.larger_ring_rate =
        lab.run(with_number(config, "data.prefetch_buffer_size", larger_prefetch(now.settings)))
            .clips_per_second;
    return true;
  }
  if (cause == Cause::cache_off && !now.cached_rate) {
    const auto cached = lab.run_cached();
    if (cached) now.cached_rate = cached->clips_per_second;
    return cached.has_value();
  }
  return false;
}

bool is_so_already(const Remedy& remedy, const config::Config& config) {
  return !remedy.key.empty() && config.value(remedy.key) == parse_setting(remedy.key, remedy.value);
}

/// A step's own keys need the model, which no loader has.
bool can_be_tried(const Remedy& remedy) {
  return remedy.key.starts_with("data.") && !remedy.gain;
}

double ratio(const Remedy& remedy) {
  return remedy.gain && remedy.gain->before > 0 ? remedy.gain->after / remedy.gain->before : 1;
}

}  // namespace

Settings settings_of(const feed::FeedOptions& options, bool from_cache, uint64_t cache_bytes) {
  return {.native = options.native,
          .from_cache = from_cache,
          .pinned = options.pinned,
          .data_on_gpu = options.roles.data.is_cuda(),
          .prefetch = options.prefetch,
          .slots = options.slots,
          .batch_size = options.batch_size,
          .batch_frames = options.batch_frames,
          .cache_bytes = cache_bytes};
}

double padding_of_own_choice(const feed::ClipSource& source, feed::FeedOptions options) {
  options.num_buckets = 0;
  options.fixed_shapes = true;
  return plan_feed(source.rows(), source.mel(), options).padding.buckets.frames;
}

Verdict judge_by_trials(Situation& now, const config::Config& config, Lab& lab) {
  try_what_is_off(now, config, lab);
  Verdict verdict = judge(now);
  lab.set_seconds(seconds_of_a_run(now, verdict.cause));
  for (int i = 1; i < kMostJudgements; ++i) {
    if (!try_suspicion(now, verdict.cause, config, lab)) break;
    verdict = judge(now);
  }
  return verdict;
}

void try_remedies(Verdict& verdict, const Situation& now, const config::Config& config, Lab& lab) {
  auto& remedies = verdict.remedies;
  std::erase_if(remedies, [&](const Remedy& remedy) { return is_so_already(remedy, config); });
  lab.set_seconds(seconds_of_a_run(now, verdict.cause));
  const Stopwatch time;
  for (Remedy& remedy : remedies) {
    if (!can_be_tried(remedy) || time.seconds() > kMostSeconds) continue;
    const auto [before, after] = lab.compare(with_setting(config, remedy.key, remedy.value));
    remedy.gain = Gain{before.clips_per_second, after.clips_per_second};
    remedy.expected_gain =
        gain_words(before.clips_per_second, after.clips_per_second, ceiling_of(now));
  }
  std::erase_if(remedies, [&](const Remedy& remedy) {
    return remedy.gain && ratio(remedy) < kHelps && !remedy.key.empty();
  });
  std::ranges::sort(remedies, std::ranges::greater{}, ratio);
}

}  // namespace seda::diagnose
