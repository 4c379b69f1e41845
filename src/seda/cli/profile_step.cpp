// SPDX-License-Identifier: Apache-2.0
#include "seda/train/profile_step.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/report_files.h"
#include "seda/cli/step_report.h"
#include "seda/cli/verbs.h"
#include "seda/device/platform.h"
#include "seda/train/load_library.h"

namespace seda::cli {
namespace {

struct StepFlags {
  std::string folder;
  std::string trace;
  ReportFiles files;
  train::StepProfileOptions options;
};

void profile_step(const config::Config& config, const StepFlags& flags, const Common& common) {
  const auto corpus = corpus_folder(flags.folder, config);
  check_writable(flags.files);
  check_writable(flags.trace);
  const device::Platform platform;
  train::TrainOptions options = train::train_options(config, corpus);
  options.progress = progress_style(common.quiet);
  std::optional<TraceRecorder> trace;
  if (!flags.trace.empty()) options.trace = &trace.emplace();
  const auto step = train::profile_step(options, train::load_library(), platform, flags.options);
  const Report report{to_json(step), report_text(step), report_page(step)};
  do_each({[&] { put_timeline(options.trace, flags.trace); },
           [&] { put_out(report, flags.files, common); }});
}

}  // namespace

void add_profile_step(CLI::App& profile) {
  CLI::App* verb = profile.add_subcommand("step", "time every part of a training step");
  const auto flags = std::make_shared<StepFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  integer(
      verb->add_option("--num-steps", flags->options.steps, "steps to time, after a warm-up [100]"),
      1, 1'000'000);
  verb->add_option("--trace", flags->trace, "timeline for ui.perfetto.dev")->type_name("FILE");
  add_report_files(*verb, flags->files);
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, step_keys());
  verb->footer(
      "Examples:\n"
      "  seda profile step corpora/voice\n"
      "  seda profile step corpora/voice --model-size small --batch-size 32\n"
      "  seda profile step corpora/voice --no-xla --no-mixed-precision --html step.html");
  verb->callback([=] { profile_step(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
