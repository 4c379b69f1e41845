// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_remedies.h"

#include <utility>

#include "seda/base/file.h"
#include "seda/config/editor.h"
#include "seda/diagnose/lab.h"
#include "seda/diagnose/text_on_trial.h"
#include "seda/feed/prepare_options.h"

namespace seda::diagnose {
namespace {

namespace fs = std::filesystem;

constexpr double kMoreClips = 1.02;
constexpr double kMoreReal = 0.05;
constexpr double kSeconds = 3;

bool helped(const TrialRun& before, const TrialRun& after) {
  return after.clips_per_second > kMoreClips * before.clips_per_second ||
         after.real_share > before.real_share + kMoreReal;
}

/// The text of a configuration with the key of a remedy set.
std::string with_remedy(const std::string& text, const std::string& name, const Remedy& remedy) {
  config::Editor editor(text, name);
  editor.set(remedy.key, parse_setting(remedy.key, remedy.value));
  return editor.text();
}

/// Whether it changes what a step does, which the model alone can show.
bool is_of_the_step(const Remedy& remedy) {
  return remedy.key.starts_with("training.") || (remedy.gain && remedy.gain->unit == kStepUnit);
}

std::string why_not(const Remedy& remedy, const DiagnosisOptions& options) {
  if (remedy.key.empty()) return "it is no key of the configuration";
  if (!is_of_the_step(remedy) || options.probe) return {};
  return "only steps can show what it brings, and none were taken: " + options.no_probe;
}

TrialRun of_step(const StepProfile& step) {
  return {.clips_per_second = step.clips_per_second()};
}

/// Changes one file, remedy after remedy.
class Treatment {
 public:
  Treatment(fs::path file, const config::Config& config, const device::Platform& platform,
            const DiagnosisOptions& options, double step_s)
      : file_(std::move(file)),
        now_(config),
        platform_(platform),
        options_(options),
        step_s_(step_s) {
    auto open = feed::open_options(config, options.corpus, &platform);
    open.use_cache = options.use_cache;
    open.announce = false;
    clips_ = feed::open_clips(open);
  }

  AppliedRemedy apply(const Remedy& remedy) {
    AppliedRemedy applied;
    applied.remedy = remedy;
    applied.why = why_not(remedy, options_);
    if (!applied.why.empty()) return applied;
    const std::string text = read_file(file_);
    TextOnTrial edit(file_, text, with_remedy(text, file_.string(), remedy));
    const config::Config changed = with_setting(now_, remedy.key, remedy.value);
    const auto [before, after] =
        is_of_the_step(remedy) ? compare_steps(changed) : compare_loaders(changed);
    applied.diff = edit.diff();
    applied.before = before;
    applied.after = after;
    applied.kept = helped(before, after);
    if (applied.kept) {
      edit.keep();
      now_ = changed;
    } else {
      edit.take_back();
      applied.why = "it did not help";
    }
    applied.backup = edit.backup();
    return applied;
  }

 private:
  Lab::Comparison compare_steps(const config::Config& changed) const {
    return {of_step(options_.probe(now_)), of_step(options_.probe(changed))};
  }

  Lab::Comparison compare_loaders(const config::Config& changed) const {
    Lab lab(now_, clips_, platform_,
            {.corpus = options_.corpus,
             .use_cache = options_.use_cache,
             .step_s = step_s_,
             .seconds = kSeconds,
             .after_batch = {}});
    return lab.compare(changed);
  }

  fs::path file_;
  config::Config now_;
  const device::Platform& platform_;
  const DiagnosisOptions& options_;
  double step_s_;
  feed::OpenedClips clips_;
};

}  // namespace

std::vector<AppliedRemedy> apply_remedies(const fs::path& file, const config::Config& config,
                                          const device::Platform& platform,
                                          const DiagnosisOptions& options,
                                          const Diagnosis& diagnosis) {
  Treatment treatment(file, config, platform, options, diagnosis.step_s);
  std::vector<AppliedRemedy> out;
  out.reserve(diagnosis.verdict.remedies.size());
  for (const Remedy& remedy : diagnosis.verdict.remedies)
    out.push_back(treatment.apply(remedy));
  return out;
}

}  // namespace seda::diagnose
