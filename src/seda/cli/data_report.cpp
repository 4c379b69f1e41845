// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/data_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/cli/stage_bars.h"
#include "seda/cli/verdict_text.h"
#include "seda/diagnose/bands.h"

namespace seda::cli {
namespace {

using diagnose::band;
using diagnose::BatchTimes;
using diagnose::DataProfile;
using diagnose::kBandClips;
using diagnose::ProfileOptions;
using diagnose::Trial;

std::string line(std::string_view name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, text);
}

std::string sample_text(const DataProfile& profile) {
  const auto& [lines, per_line_s, total_s] = profile.text;
  std::string out = line("corpus", fmt::format("{} clips from {}, cache {}", profile.clips,
                                               profile.path, profile.cache_state));
  out += line("text", fmt::format("{} a line, {} for {} lines (uncached, one thread)",
                                  format_seconds(per_line_s), format_seconds(total_s), lines));
  out += line("audio", fmt::format("{} a file, variation {}, {} files, {} bad (one thread)",
                                   format_seconds(profile.audio.load_s),
                                   format_percent(profile.audio.variation), profile.audio.files,
                                   profile.audio.bad));
  return out;
}

/// "16 clips", or "at most 8000 frames (12.3 clips)".
std::string batch_text(const DataProfile& profile) {
  std::string words = feed::batch_words(profile.options);
  if (profile.options.batch_frames == 0) return words;
  return fmt::format("{} ({:.1f} clips)", words, profile.run.clips_per_batch());
}

std::string consumer_text(const DataProfile& profile, const ProfileOptions& options) {
  const auto& roles = profile.options.roles;
  return line("devices", fmt::format("data {}, model {}", device::to_string(roles.data),
                                     device::to_string(roles.model))) +
         line("measured",
              fmt::format("{} batches of {} in {}, {}", profile.run.loader.batches,
                          batch_text(profile), format_seconds(profile.run.seconds),
                          options.step_s > 0
                              ? fmt::format("{} of work on each", format_seconds(options.step_s))
                              : "nothing done with them"));
}

/// Nobody minds how batches vary that are taken as fast as they come.
std::string variation_text(const BatchTimes& times, bool paced) {
  if (!times.variation) return diagnose::variation_text(times.variation);
  std::string words =
      fmt::format("{} within a shape, {} without outliers", format_percent(times.variation),
                  format_percent(times.robust_variation));
  if (!paced) return words;
  return fmt::format("{}  ({})", words,
                     to_string(band(*times.variation, diagnose::kVariationBounds)));
}

std::string times_text(const DataProfile& profile, const ProfileOptions& options) {
  const BatchTimes& times = profile.times;
  const double of_band = times.mean * kBandClips / std::max(1.0, profile.run.clips_per_batch());
  std::string out = line("speed", fmt::format("{:.0f} clips/s", profile.run.clips_per_second()));
  out += line("batch", fmt::format("mean {}, std {}, min {}, max {}  ({})",
                                   format_seconds(times.mean), format_seconds(times.std),
                                   format_seconds(times.min), format_seconds(times.max),
                                   to_string(band(of_band, diagnose::kBatchSecondsBounds))));
  out += line("", fmt::format("median {}, p95 {}, p99 {}", format_seconds(times.median),
                              format_seconds(times.p95), format_seconds(times.p99)));
  out += line("variation", variation_text(times, options.step_s > 0));
  const auto& [found, period, p_value] = times.oscillation;
  out += line("oscillation", found ? fmt::format("every {} ({:.1f} batches), p {:.2g}",
                                                 format_seconds(times.period_s), period, p_value)
                                   : fmt::format("none (p {:.2g})", p_value));
  return out;
}

std::string stall_text(const DataProfile& profile, const ProfileOptions& options) {
  std::string out =
      line("wait", fmt::format("{} a batch", format_seconds(profile.run.mean_wait_s())));
  out += line("GPU idle",
              options.step_s > 0
                  ? fmt::format("{} of the time, for want of data  ({})",
                                format_percent(profile.run.stall()),
                                to_string(band(profile.run.stall(), diagnose::kStallBounds)))
                  : "not known without a step's time (--step-ms)");
  const double padding = profile.padding();
  return out + line("padding", fmt::format("{} of the frames  ({})", format_percent(padding),
                                           to_string(band(padding, diagnose::kPaddingBounds))));
}

std::string cold_text(const DataProfile& profile) {
  if (!profile.cold) return {};
  const auto& [run, resident, before] = *profile.cold;
  std::string out =
      line("cold",
           fmt::format("{:.0f} clips/s, {} a batch, {} read from storage, {} in the warm-up",
                       run.clips_per_second(), format_seconds(summarize(run.batches).mean),
                       format_bytes(run.machine.storage_bytes.value_or(0)), format_bytes(before)));
  if (run.machine.storage_bytes == 0u && before > 0)
    out += line("", "nothing was cold any more when the count began: the corpus is too small");
  if (resident > 0.5) {
    out += line("", fmt::format("{} of the bytes could not be dropped from memory",
                                format_percent(resident)));
  }
  return out + line("warm", fmt::format("{:.0f} clips/s", profile.run.clips_per_second()));
}

std::string reference_text(const DataProfile& profile) {
  if (!profile.reference_rate) return {};
  const double rate = profile.run.clips_per_second();
  return line("reference", fmt::format("{:.0f} clips/s; this loader is {:.1f} x as fast",
                                       *profile.reference_rate, rate / *profile.reference_rate));
}

std::string grid_text(const DataProfile& profile) {
  if (profile.grid.empty()) return {};
  const size_t width = std::max<size_t>(5, size_text(profile.grid.front().settings).size());
  std::string out =
      fmt::format("grid         {:>{}}  workers  clips/s   a batch  variation\n", "batch", width);
  for (const Trial& trial : profile.grid) {
    out += fmt::format("             {:>{}}  {:>7}  {:>7.0f}  {:>8}  {:>9}\n",
                       size_text(trial.settings), width, trial.settings.workers,
                       trial.clips_per_second(), format_seconds(trial.batch_s()),
                       format_percent(trial.variation()));
  }
  if (!profile.recommended) return out;
  const Trial& best = *profile.recommended;
  return out + line("recommended",
                    fmt::format("batch {}, {} workers: {} a batch, variation {}; the cheapest "
                                "within 2 % of the best",
                                size_text(best.settings), best.settings.workers,
                                format_seconds(best.batch_s()), format_percent(best.variation())));
}

}  // namespace

std::string size_text(const diagnose::TrialSettings& settings) {
  return settings.batch_frames > 0 ? fmt::format("{} frames", settings.batch_frames)
                                   : std::to_string(settings.batch_size);
}

std::string figures_text(const DataProfile& profile, const ProfileOptions& options) {
  return sample_text(profile) + consumer_text(profile, options) + times_text(profile, options) +
         stall_text(profile, options);
}

std::string comparisons_text(const DataProfile& profile) {
  return cold_text(profile) + reference_text(profile);
}

std::string report_text(const DataProfile& profile, const ProfileOptions& options) {
  std::string out = figures_text(profile, options);
  out += fmt::format("stages       workers {}\n", profile.run.loader.workers) +
         stage_bars(profile.run.loader);
  out += comparisons_text(profile) + grid_text(profile);
  if (!profile.faults.empty())
    out += line("faults", fmt::format("{} clips are bad and were replaced", profile.faults.size()));
  return out + verdict_text(profile.verdict);
}

}  // namespace seda::cli
