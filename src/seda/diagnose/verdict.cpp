// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/figures.h"

namespace seda::diagnose {
namespace {

using Rule = std::optional<Verdict> (*)(const Situation&, const Figures&);

constexpr double kBusy = 0.85;           // workers with no time to spare
constexpr double kMost = 0.5;            // one stage has most of the work
constexpr double kBlocked = 0.2;         // workers that wait for room, while the consumer waits too
constexpr double kContended = 0.3;       // of our cores that others use, of the time we want one
constexpr double kSlowClipShare = 0.05;  // of the time, lost to few slow batches
constexpr size_t kSlowClipBatches = 20;  // fewer tell no tail
constexpr double kSlowTransferSeconds = 0.01;
constexpr double kLargerBatchGain = 1.25;
constexpr double kWarmGain = 1.25;

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

/// "820 -> 1990 clips/s (2.4 x)"
std::string gain(double before, double after) {
  return fmt::format("{:.0f} -> {:.0f} clips/s ({:.1f} x)", before, after, after / before);
}

std::string gain_of(const std::optional<double>& rate, const Figures& figures) {
  return rate ? gain(figures.clips_per_second(), *rate) : std::string();
}

std::string setting(const char* key, int value) {
  return fmt::format("{}: {}", key, value);
}

/// The first piece of evidence: that, and how much, the consumer waits.
std::string waiting(const Situation& situation, const Figures& figures) {
  if (figures.paced()) {
    return fmt::format("the consumer waited {} of the time at {} a step", percent(situation.stall),
                       format_seconds(situation.step_s));
  }
  return fmt::format("{} for {} clips without a consumer's work",
                     format_seconds(figures.band_batch_s()), kBandClips);
}

std::string stage_time(const char* stage, const Figures& figures) {
  return fmt::format("'{}' takes {} for {} clips, {} of the workers' work", stage,
                     format_seconds(figures.band_s(stage)), kBandClips,
                     percent(figures.busy(stage) / figures.worker_busy()));
}

/// Whether workers spend most of their work in `stage`, and too long for the consumer: it starves,
/// or where it does no work, `bounds` are left.
bool is_slow(const char* stage, double good, const Figures& figures) {
  if (figures.busy(stage) < kMost * figures.worker_busy() || figures.busy(stage) == 0) return false;
  return figures.paced() ? figures.starved() : figures.band_s(stage) >= good;
}

std::optional<Verdict> reference_path(const Situation& situation, const Figures& figures) {
  if (situation.settings.native) return std::nullopt;
  return Verdict{Cause::reference_path,
                 {"data.native_loading is false: one thread reads, decodes and pads each batch "
                  "when it is asked for",
                  waiting(situation, figures)},
                 {{"data.native_loading: true", gain_of(situation.native_rate, figures)}}};
}

std::optional<Verdict> cache_off(const Situation& situation, const Figures& figures) {
  if (situation.settings.from_cache || (figures.paced() && !figures.starved())) return std::nullopt;
  return Verdict{
      Cause::cache_off,
      {"clips are read and decoded from their files every time", waiting(situation, figures),
       fmt::format("reading, decoding and making mels take {} for {} clips",
                   format_seconds(kBandClips * figures.worker_busy() /
                                  static_cast<double>(situation.loader.clips)),
                   kBandClips)},
      {{"seda prepare, and no --no-prepare", ""}}};
}

std::optional<Verdict> unpinned_copies(const Situation& situation, const Figures& figures) {
  if (!situation.settings.data_on_gpu || situation.settings.pinned) return std::nullopt;
  return Verdict{Cause::unpinned_copies,
                 {"data.pin_memory is false: uploads start from pageable memory and hold up the "
                  "thread that starts them",
                  fmt::format("upload, features and transfer take {} a batch",
                              format_seconds(figures.device_s()))},
                 {{"data.pin_memory: true", ""}}};
}

std::optional<Verdict> slow_clip(const Situation& situation, const Figures&) {
  const size_t batches = situation.batch_s.size();
  if (batches < kSlowClipBatches) return std::nullopt;
  const Tail tail = tail_of(situation);
  if (tail.batches == 0 || tail.batches * 10 > batches) return std::nullopt;
  if (tail.lost_s < kSlowClipShare * situation.loader.seconds) return std::nullopt;
  return Verdict{
      Cause::slow_clip,
      {fmt::format("{} of {} batches took over {:.0f} times the median: the longest {} against {}",
                   tail.batches, batches, kFarLongerTimes, format_seconds(tail.longest_s),
                   format_seconds(tail.median_s)),
       fmt::format("{} of the time went there", percent(tail.lost_s / situation.loader.seconds))},
      {{setting("data.prefetch_buffer_size", 2 * std::max(2, situation.loader.host.total())), ""}}};
}

std::optional<Verdict> cpu_contention(const Situation& situation, const Figures& figures) {
  const MachineUse& machine = situation.machine;
  if (!figures.starved() || figures.cores_idle()) return std::nullopt;
  if (machine.other_cores < kContended * machine.usable_cores ||
      figures.core_wait_share() < kContended)
    return std::nullopt;
  return Verdict{
      Cause::cpu_contention,
      {fmt::format("workers had no core in {} of their work", percent(figures.core_wait_share())),
       fmt::format("other processes use {:.1f} cores, this one {:.1f} of the {} it may "
                   "use, and {:.1f} are idle",
                   machine.other_cores, machine.process_cores, machine.usable_cores,
                   machine.idle_cores),
       waiting(situation, figures)},
      {{"end the other processes, or let 'seda tune' choose data.num_workers", ""}}};
}

std::optional<Verdict> cold_cache(const Situation& situation, const Figures& figures) {
  const bool fits = situation.machine.free_bytes.value_or(0) > situation.settings.cache_bytes;
  const bool from_storage =
      figures.storage_share() >= kMost && situation.settings.cache_bytes > 0 && fits;
  const bool warm_is_faster =
      situation.warm_rate && *situation.warm_rate > kWarmGain * figures.clips_per_second();
  const bool matters =
      figures.starved() || (!figures.paced() && figures.band_batch_s() >= kReadSecondsBounds.good);
  if (!matters || (!from_storage && !warm_is_faster)) return std::nullopt;
  return Verdict{
      Cause::cold_cache,
      {warm_is_faster
           ? fmt::format("{:.0f} clips/s with the page cache dropped, {:.0f} after",
                         figures.clips_per_second(), *situation.warm_rate)
           : fmt::format("{} of what was loaded came from storage, and the cache of {} fits into "
                         "memory: after one pass it is warm",
                         percent(std::min(1.0, figures.storage_share())),
                         format_bytes(situation.settings.cache_bytes)),
       waiting(situation, figures)},
      {{"data.cache_dataset: true", gain_of(situation.warm_rate, figures)}}};
}

std::optional<Verdict> slow_storage(const Situation& situation, const Figures& figures) {
  if (!is_slow("read", kReadSecondsBounds.good, figures)) return std::nullopt;
  if (figures.off_core_share() < kMost) return std::nullopt;
  return Verdict{
      Cause::slow_storage,
      {stage_time("read", figures),
       fmt::format("workers used no processor in {} of their work: they waited for bytes",
                   percent(figures.off_core_share())),
       waiting(situation, figures)},
      {{setting("data.num_workers", 2 * situation.loader.workers),
        gain_of(situation.more_workers_rate, figures)},
       {"data.cache_dataset: true", ""},
       {"data.cache_dir: a folder on a faster disk", ""}}};
}

std::optional<Verdict> slow_transfer(const Situation& situation, const Figures& figures) {
  const double batch_s =
      situation.loader.seconds / std::max<double>(1, static_cast<double>(situation.loader.batches));
  if (figures.device_s() < kMost * batch_s) return std::nullopt;
  if (figures.paced() ? !figures.starved() : figures.device_s() < kSlowTransferSeconds)
    return std::nullopt;
  return Verdict{
      Cause::slow_transfer,
      {fmt::format("upload, features and transfer take {} of the {} a batch takes",
                   format_seconds(figures.device_s()), format_seconds(batch_s)),
       waiting(situation, figures)},
      {{"data.data_gpu: the model's device", ""}, {"data.optimize_cpu_gpu_overlap: true", ""}}};
}

/// Decoding, or making mels, is slow in itself.
std::optional<Verdict> slow_decode(const Situation& situation, const Figures& figures) {
  // Waiting for a core is no decoding.
  const double band_s = figures.band_s("decode") * (1 - figures.core_wait_share());
  if (!is_slow("decode", 0, figures) || band_s < kReadSecondsBounds.fair) return std::nullopt;
  return Verdict{Cause::slow_decode,
                 {stage_time("decode", figures), waiting(situation, figures)},
                 {{"data.preprocessing_mode: precompute", ""}}};
}

std::optional<Verdict> too_few_workers(const Situation& situation, const Figures& figures) {
  const int workers = situation.loader.workers;
  if (!figures.starved() || figures.busy_share() < kBusy) return std::nullopt;
  if (workers >= situation.machine.usable_cores || !figures.cores_idle()) return std::nullopt;
  const double needed = workers / std::max(0.1, 1 - situation.stall);
  const int more = situation.more_workers > 0
                       ? situation.more_workers
                       : std::clamp(static_cast<int>(std::ceil(needed)) + 1, workers + 1,
                                    situation.machine.usable_cores);
  return Verdict{
      Cause::too_few_workers,
      {waiting(situation, figures),
       fmt::format("{} workers are busy {} of the time", workers, percent(figures.busy_share())),
       fmt::format("{:.1f} cores are idle", situation.machine.idle_cores)},
      {{setting("data.num_workers", more), gain_of(situation.more_workers_rate, figures)}}};
}

std::optional<Verdict> ring_too_small(const Situation& situation, const Figures& figures) {
  if (!figures.starved() || figures.blocked_out_share() < kBlocked) return std::nullopt;
  const Settings& settings = situation.settings;
  return Verdict{Cause::ring_too_small,
                 {waiting(situation, figures),
                  fmt::format("workers waited for room {} of their time: both sides wait for each "
                              "other",
                              percent(figures.blocked_out_share()))},
                 {{setting("data.pipeline_buffer_size", 2 * settings.slots), ""},
                  {setting("data.prefetch_buffer_size", 2 * std::max(2, settings.prefetch)), ""}}};
}

/// No core is left and no stage stands out: the work itself is too much.
std::optional<Verdict> all_cores_busy(const Situation& situation, const Figures& figures) {
  if (!figures.starved() || figures.busy_share() < kBusy) return std::nullopt;
  const char* stage = figures.busy("mel") > figures.busy("decode") ? "mel" : "decode";
  if (figures.busy(stage) < kMost * figures.worker_busy()) return std::nullopt;
  return Verdict{Cause::slow_decode,
                 {stage_time(stage, figures),
                  fmt::format("{} workers are busy {} of the time", situation.loader.workers,
                              percent(figures.busy_share())),
                  waiting(situation, figures)},
                 {{"data.preprocessing_mode: precompute", ""}}};
}

std::optional<Verdict> batch_too_small(const Situation& situation, const Figures& figures) {
  if (!situation.larger_batch_rate ||
      *situation.larger_batch_rate < kLargerBatchGain * figures.clips_per_second())
    return std::nullopt;
  if (situation.larger_batch <= situation.settings.batch_size) return std::nullopt;
  return Verdict{Cause::batch_too_small,
                 {fmt::format("batches of {} clips bring {:.0f} clips/s, of {} {:.0f}",
                              situation.settings.batch_size, figures.clips_per_second(),
                              situation.larger_batch, *situation.larger_batch_rate)},
                 {{setting("data.batch_size", situation.larger_batch),
                   gain_of(situation.larger_batch_rate, figures)}}};
}

std::optional<Verdict> padding_waste(const Situation&, const Figures& figures) {
  if (band(figures.padding(), kPaddingBounds) != Band::poor) return std::nullopt;
  return Verdict{Cause::padding_waste,
                 {fmt::format("{} of all frames are padding", percent(figures.padding()))},
                 {{"data.num_buckets: auto", ""}}};
}

std::optional<Verdict> healthy(const Situation& situation, const Figures& figures) {
  if (figures.starved()) return std::nullopt;
  return Verdict{Cause::healthy, {waiting(situation, figures)}, {}};
}

/// What is wrong whatever else is comes first, then what explains the most with one measurement.
constexpr Rule kRules[] = {reference_path,  cache_off,       unpinned_copies, slow_clip,
                           slow_decode,     cpu_contention,  cold_cache,      slow_storage,
                           slow_transfer,   too_few_workers, ring_too_small,  all_cores_busy,
                           batch_too_small, padding_waste,   healthy};

}  // namespace

Verdict judge(const Situation& situation) {
  const Figures figures(situation);
  if (situation.loader.batches == 0) return {Cause::unknown, {"no batch was measured"}, {}};
  for (const Rule rule : kRules) {
    if (auto verdict = rule(situation, figures)) return *std::move(verdict);
  }
  return {Cause::unknown,
          {waiting(situation, figures),
           fmt::format("workers are busy {} of the time and wait for room {}",
                       percent(figures.busy_share()), percent(figures.blocked_out_share()))},
          {}};
}

}  // namespace seda::diagnose
