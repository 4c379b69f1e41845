// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/evidence.h"
#include "seda/diagnose/rules.h"

namespace seda::diagnose::rules {
namespace {

constexpr double kOccupied = 0.6;        // of the workers' time: less, and they are not the limit
constexpr double kBlocked = 0.2;         // workers that wait for room, while the consumer waits too
constexpr double kSlowClipShare = 0.05;  // of the time, lost to few slow batches
constexpr size_t kSlowClipBatches = 20;  // fewer tell no tail

Remedy setting(const char* key, int value) {
  return set_to(key, std::to_string(value));
}

/// Batches that must lie ready to cover the longest one.
int ahead_for(const Tail& tail, const Situation& situation) {
  const double step_s = std::max(situation.step_s, tail.median_s);
  const int covered = step_s > 0 ? static_cast<int>(std::ceil(tail.longest_s / step_s)) : 0;
  const int now = std::max(2, situation.loader.host.total());
  return std::clamp(std::max(2 * now, covered + 2), 1, config::kMostAhead);
}

/// Whether workers have time to spare and a larger ring, which is no large one, lasts as long as
/// the longest batch.
bool a_ring_would_cover(const Tail& tail, const Situation& situation, const Figures& figures) {
  return tail.longest_s < larger_prefetch(situation.settings) * situation.step_s &&
         figures.blocked_out_share() >= kBlocked &&
         !brings_nothing(situation.larger_ring_rate, figures);
}

/// As many as there are, or may be.
int a_worker_each_core(const Situation& situation) {
  return std::min(situation.machine.usable_cores, config::kMostWorkers);
}

std::vector<Remedy> decode_remedies(const Situation& situation, const Figures& figures) {
  std::vector<Remedy> out;
  // Of a cache without this work, mels are what is kept already.
  const bool makes_mels = figures.busy("mel") > 0 || !situation.settings.from_cache;
  if (makes_mels) out.push_back(set_to("data.preprocessing_mode", "precompute"));
  const int all = a_worker_each_core(situation);
  if (situation.loader.workers < all) out.push_back(setting("data.num_workers", all));
  out.push_back({"keep sounds in a format that decodes fast (wav, flac)"});
  return out;
}

}  // namespace

bool brings_nothing(const std::optional<double>& rate, const Figures& figures) {
  return rate && *rate < kMeasurable * figures.clips_per_second();
}

bool is_slow(const char* stage, double good_s, const Figures& figures) {
  if (figures.busy(stage) < kMost * figures.worker_busy() || figures.busy(stage) == 0) return false;
  return figures.paced() ? figures.starved() && figures.busy_share() >= kOccupied
                         : figures.band_s(stage) >= good_s;
}

std::optional<Verdict> slow_clip(const Situation& situation, const Figures& figures) {
  const size_t batches = situation.batches.size();
  if (batches < kSlowClipBatches) return std::nullopt;
  const Tail tail = tail_of(situation);
  if (tail.batches == 0 || tail.batches * 10 > batches) return std::nullopt;
  if (tail.lost_s < kSlowClipShare * situation.loader.seconds) return std::nullopt;
  if (a_ring_would_cover(tail, situation, figures)) return std::nullopt;
  return Verdict{
      Cause::slow_clip,
      {fmt::format("{} of {} batches took over {:.0f} times the median: the longest {} against {}",
                   tail.batches, batches, kFarLongerTimes, format_seconds(tail.longest_s),
                   format_seconds(tail.median_s)),
       fmt::format("{} of the time went there",
                   format_percent(tail.lost_s / situation.loader.seconds))},
      {setting("data.prefetch_buffer_size", ahead_for(tail, situation))}};
}

std::optional<Verdict> slow_storage(const Situation& situation, const Figures& figures) {
  if (!is_slow("read", kReadSecondsBounds.good, figures)) return std::nullopt;
  if (figures.off_core_share() < kMost) return std::nullopt;
  return Verdict{
      Cause::slow_storage,
      {stage_time("read", figures),
       fmt::format("workers used no processor in {} of their work: they waited for bytes",
                   format_percent(figures.off_core_share())),
       waiting(situation, figures)},
      {with_gain(setting("data.num_workers", more_workers_than(situation.loader.workers)),
                 situation.more_workers_rate, situation, figures),
       set_to("data.cache_dataset", "true"),
       {"data.cache_dir: a folder on a faster disk"}}};
}

/// Decoding is slow in itself.
std::optional<Verdict> slow_decode(const Situation& situation, const Figures& figures) {
  // Waiting for a core is no decoding.
  const double band_s = figures.band_s("decode") * (1 - figures.core_wait_share());
  if (!is_slow("decode", 0, figures) || band_s < kReadSecondsBounds.fair) return std::nullopt;
  return Verdict{Cause::slow_decode,
                 {stage_time("decode", figures), waiting(situation, figures)},
                 decode_remedies(situation, figures)};
}

std::optional<Verdict> too_few_workers(const Situation& situation, const Figures& figures) {
  const int workers = situation.loader.workers;
  if (!figures.starved() || figures.busy_share() < kBusy) return std::nullopt;
  if (workers >= a_worker_each_core(situation)) return std::nullopt;
  // A trial that was measurably faster says more than cores that looked idle.
  const bool helps = situation.more_workers_rate.has_value() &&
                     !brings_nothing(situation.more_workers_rate, figures);
  if (!helps && !figures.cores_idle()) return std::nullopt;
  if (brings_nothing(situation.more_workers_rate, figures)) return std::nullopt;
  const double needed = workers / std::max(0.1, 1 - situation.stall);
  const int more = situation.more_workers > 0
                       ? situation.more_workers
                       : std::clamp(static_cast<int>(std::ceil(needed)) + 1, workers + 1,
                                    a_worker_each_core(situation));
  return Verdict{Cause::too_few_workers,
                 {waiting(situation, figures),
                  fmt::format("{} workers are busy {} of the time", workers,
                              format_percent(figures.busy_share())),
                  fmt::format("{:.1f} cores are idle", situation.machine.idle_cores)},
                 {with_gain(setting("data.num_workers", more), situation.more_workers_rate,
                            situation, figures)}};
}

std::optional<Verdict> ring_too_small(const Situation& situation, const Figures& figures) {
  if (!figures.starved() || figures.blocked_out_share() < kBlocked) return std::nullopt;
  if (brings_nothing(situation.larger_ring_rate, figures)) return std::nullopt;
  const Settings& settings = situation.settings;
  return Verdict{
      Cause::ring_too_small,
      {waiting(situation, figures),
       fmt::format("workers waited for room {} of their time: both sides wait for each other",
                   format_percent(figures.blocked_out_share()))},
      {with_gain(setting("data.prefetch_buffer_size", larger_prefetch(settings)),
                 situation.larger_ring_rate, situation, figures),
       setting("data.pipeline_buffer_size", std::min(2 * settings.slots, config::kMostAhead))}};
}

/// No core is left and no stage stands out: the work itself is too much.
std::optional<Verdict> all_cores_busy(const Situation& situation, const Figures& figures) {
  if (!figures.starved() || figures.busy_share() < kBusy) return std::nullopt;
  const char* stage = figures.busy("mel") > figures.busy("decode") ? "mel" : "decode";
  if (figures.busy(stage) < kMost * figures.worker_busy()) return std::nullopt;
  return Verdict{Cause::slow_decode,
                 {stage_time(stage, figures),
                  fmt::format("{} workers are busy {} of the time", situation.loader.workers,
                              format_percent(figures.busy_share())),
                  waiting(situation, figures)},
                 decode_remedies(situation, figures)};
}

}  // namespace seda::diagnose::rules
