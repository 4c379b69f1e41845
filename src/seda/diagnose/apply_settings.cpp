// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_settings.h"

#include <algorithm>
#include <utility>

#include "seda/base/file.h"
#include "seda/config/editor.h"
#include "seda/diagnose/text_on_trial.h"

namespace seda::diagnose {
namespace {

constexpr double kNoise = 0.02;
constexpr int kRepeats = 5;

config::Value or_auto(int value) {
  return value > 0 ? config::Value(int64_t{value}) : config::Value();
}

double noise_of(const Trial& before, const Trial& after, double TrialRun::* figure) {
  return std::max(spread(before, figure), spread(after, figure));
}

AppliedSettings nothing(std::string why) {
  AppliedSettings out;
  out.why = std::move(why);
  return out;
}

}  // namespace

std::string with_settings(const std::string& text, const std::string& name,
                          const TrialSettings& from, const TrialSettings& to) {
  config::Editor editor(text, name);
  const auto set = [&](const char* key, int before, int after) {
    if (before != after) editor.set(key, or_auto(after));
  };
  set("data.num_workers", from.workers, to.workers);
  set("data.batch_size", from.batch_size, to.batch_size);
  set("data.prefetch_buffer_size", from.prefetch, to.prefetch);
  set("data.pipeline_buffer_size", from.slots, to.slots);
  return editor.text();
}

bool is_better(const Trial& before, const Trial& after, double step_s) {
  if (step_s > 0) {
    const double noise = std::max(noise_of(before, after, &TrialRun::stall), kNoise);
    return after.stall() < before.stall() - noise;
  }
  const double noise = std::max(noise_of(before, after, &TrialRun::clips_per_second),
                                kNoise * before.clips_per_second());
  return after.clips_per_second() > before.clips_per_second() + noise;
}

AppliedSettings apply_settings(const std::filesystem::path& file, const Trial& current,
                               const Trial& chosen, const RunTrial& run, double step_s) {
  if (!is_better(current, chosen, step_s))
    return nothing("not better than the configuration by more than their runs differ");
  const std::string before = read_file(file);
  const std::string after = with_settings(before, file.string(), current.settings, chosen.settings);
  if (after == before) return nothing("the file says so already");
  TextOnTrial text(file, before, after);
  AppliedSettings out;
  out.diff = text.diff();
  std::vector<Trial> both = {{current.settings, {}}, {chosen.settings, {}}};
  run_interleaved(both, kRepeats, run);
  out.before = both.front();
  out.after = both.back();
  out.kept = is_better(out.before, out.after, step_s);
  out.reverted = !out.kept;
  if (out.kept) {
    text.keep();
  } else {
    text.take_back();
    out.why = "measured again it was not better by more than its runs differ";
  }
  out.backup = text.backup();
  return out;
}

}  // namespace seda::diagnose
