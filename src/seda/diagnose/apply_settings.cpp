// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/distribution.h"
#include "seda/base/file.h"
#include "seda/config/editor.h"

namespace seda::diagnose {
namespace {

constexpr double kNoise = 0.02;

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

std::filesystem::path back_up(const std::filesystem::path& file) {
  for (int number = 1;; ++number) {
    std::filesystem::path copy = file;
    copy += fmt::format(".bak-{}", number);
    if (std::filesystem::exists(copy)) continue;
    write_file(copy, read_file(file));
    return copy;
  }
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

}  // namespace seda::diagnose
