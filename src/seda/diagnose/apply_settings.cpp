// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_settings.h"

#include <algorithm>

#include "seda/base/distribution.h"
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

/// How far runs of the same settings lie apart: half of the range of all.
double spread(const Trial& trial, double TrialRun::* figure) {
  Distribution values;
  for (const TrialRun& run : trial.runs)
    values.add(run.*figure);
  return trial.runs.empty() ? 0 : (values.max() - values.min()) / 2;
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

bool is_worse(const Trial& before, const Trial& after, double step_s) {
  if (step_s > 0) {
    const double noise = std::max(spread(before, &TrialRun::stall), kNoise);
    return after.stall() > before.stall() + noise;
  }
  const double noise =
      std::max(spread(before, &TrialRun::clips_per_second), kNoise * before.clips_per_second());
  return after.clips_per_second() < before.clips_per_second() - noise;
}

AppliedSettings apply_settings(const std::filesystem::path& file, const TrialSettings& from,
                               const TrialSettings& to, const RunTrial& run, double step_s) {
  AppliedSettings out;
  const std::string before = read_file(file);
  const std::string after = with_settings(before, file.string(), from, to);
  if (after == before) return out;
  TextOnTrial text(file, before, after);
  out.diff = text.diff();
  std::vector<Trial> both = {{from, {}}, {to, {}}};
  run_interleaved(both, kRepeats, run);
  out.before = both.front();
  out.after = both.back();
  out.reverted = is_worse(out.before, out.after, step_s);
  out.kept = !out.reverted;
  if (out.kept) {
    text.keep();
  } else {
    text.take_back();
  }
  out.backup = text.backup();
  return out;
}

}  // namespace seda::diagnose
