// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/evidence.h"

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/diagnose/bands.h"

namespace seda::diagnose {

std::string gain_words(double before, double after, double ceiling) {
  if (ceiling > 0) {
    return fmt::format("{:.0f} -> {:.0f} % of ceiling ({:.0f} -> {:.0f} clips/s)",
                       100 * before / ceiling, 100 * after / ceiling, before, after);
  }
  return fmt::format("{:.0f} -> {:.0f} clips/s ({:.1f} x)", before, after,
                     before > 0 ? after / before : 0);
}

double ceiling_of(const Situation& situation) {
  const auto batches = static_cast<double>(situation.loader.batches);
  if (situation.step_s <= 0 || batches <= 0) return 0;
  return static_cast<double>(situation.loader.clips) / batches / situation.step_s;
}

std::string waiting(const Situation& situation, const Figures& figures) {
  if (figures.paced()) {
    return fmt::format("the consumer waited {} of the time at {} a step",
                       format_percent(situation.stall), format_seconds(situation.step_s));
  }
  return fmt::format("{} for {} clips without a consumer's work",
                     format_seconds(figures.band_batch_s()), kBandClips);
}

std::string stage_time(const char* stage, const Figures& figures) {
  return fmt::format("'{}' takes {} for {} clips, {} of the workers' work", stage,
                     format_seconds(figures.band_s(stage)), kBandClips,
                     format_percent(figures.busy(stage) / figures.worker_busy()));
}

Remedy with_gain(Remedy remedy, const std::optional<double>& rate, const Situation& situation,
                 const Figures& figures) {
  if (!rate) return remedy;
  const double before = figures.clips_per_second();
  remedy.expected_gain = gain_words(before, *rate, ceiling_of(situation));
  remedy.gain = Gain{before, *rate};
  return remedy;
}

}  // namespace seda::diagnose
