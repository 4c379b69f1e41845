// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/diagnose/bands.h"
#include "seda/diagnose/evidence.h"
#include "seda/diagnose/rules.h"

namespace seda::diagnose::rules {
namespace {

/// Whether the consumer starves, or a run the other way was faster; unpaced and without such a run
/// the path itself is all there is to say.
bool matters(const Figures& figures, const std::optional<double>& better) {
  return (!figures.paced() || figures.starved()) && !brings_nothing(better, figures);
}

}  // namespace

std::optional<Verdict> slow_text(const Situation& situation, const Figures& figures) {
  if (!is_slow("text", kReadSecondsBounds.good, figures)) return std::nullopt;
  return Verdict{Cause::slow_text,
                 {"every line goes through the text frontend again each time its clip is fed",
                  stage_time("text", figures), waiting(situation, figures)},
                 {with_gain(set_to("data.native_loading", "true"), situation.native_rate, situation,
                            figures)}};
}

std::optional<Verdict> reference_path(const Situation& situation, const Figures& figures) {
  if (situation.settings.native) return std::nullopt;
  if (!matters(figures, situation.native_rate)) return std::nullopt;
  return Verdict{Cause::reference_path,
                 {"data.native_loading is false: one thread reads, decodes and pads each batch "
                  "when it is asked for",
                  waiting(situation, figures)},
                 {with_gain(set_to("data.native_loading", "true"), situation.native_rate, situation,
                            figures)}};
}

std::optional<Verdict> cache_off(const Situation& situation, const Figures& figures) {
  if (situation.settings.from_cache) return std::nullopt;
  if (!matters(figures, situation.cached_rate)) return std::nullopt;
  return Verdict{
      Cause::cache_off,
      {"clips are read and decoded from their files every time", waiting(situation, figures),
       fmt::format("reading, decoding and making mels take {} for {} clips",
                   format_seconds(kBandClips * figures.worker_busy() /
                                  static_cast<double>(situation.loader.clips)),
                   kBandClips)},
      {with_gain({"seda prepare, and no --no-prepare"}, situation.cached_rate, situation,
                 figures)}};
}

std::optional<Verdict> cold_cache(const Situation& situation, const Figures& figures) {
  const bool fits = situation.machine.free_bytes.value_or(0) > situation.settings.cache_bytes;
  const bool from_storage =
      figures.storage_share() >= kColdShare && situation.settings.cache_bytes > 0 && fits;
  const bool warm_is_faster =
      situation.warm_rate && *situation.warm_rate > kWorthwhile * figures.clips_per_second();
  const bool needed =
      figures.starved() || (!figures.paced() && figures.band_batch_s() >= kReadSecondsBounds.good);
  if (!needed || (!from_storage && !warm_is_faster)) return std::nullopt;
  return Verdict{
      Cause::cold_cache,
      {warm_is_faster
           ? fmt::format("{:.0f} clips/s with the page cache cold, {:.0f} with it warm",
                         figures.clips_per_second(), *situation.warm_rate)
           : fmt::format("{} of what was loaded came from storage, and the cache of {} fits into "
                         "memory: after one pass it is warm",
                         format_percent(std::min(1.0, figures.storage_share())),
                         format_bytes(situation.settings.cache_bytes)),
       waiting(situation, figures)},
      {with_gain(set_to("data.cache_dataset", "true"), situation.warm_rate, situation, figures)}};
}

std::optional<Verdict> cache_rebuilt(const Situation& situation, const Figures&) {
  if (!situation.start || !situation.start->is_rebuilt()) return std::nullopt;
  const StartUp& start = *situation.start;
  return Verdict{
      Cause::cache_rebuilt,
      {fmt::format("opened twice in a row, the cache was made anew both times: {} of {} clips the "
                   "second time, because: {}",
                   start.made_again, start.clips, words_of(start.reasons_again)),
       fmt::format("each start waits {} for it", format_seconds(start.open_again_s))},
      {{"find what changes the corpus or its cache between starts (a copy without times, a "
        "clean-up "
        "of the folder)",
        "",
        "",
        "",
        {}},
       {"seda prepare --hash content, where only the files' times change"}}};
}

}  // namespace seda::diagnose::rules
