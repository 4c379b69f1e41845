// SPDX-License-Identifier: Apache-2.0
#include "seda/train/profile_dual.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "seda/cli/dual_report.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/report_files.h"
#include "seda/cli/verbs.h"
#include "seda/device/platform.h"
#include "seda/train/load_library.h"

namespace seda::cli {
namespace {

struct DualFlags {
  std::string folder;
  bool no_monitoring = false;
  ReportFiles files;
  train::DualProfileOptions options;
};

/// Where nothing is said and there are two GPUs, the first feeds the second.
config::Config with_two_gpus(config::Config config, const device::Platform& platform) {
  const bool said = !config.is_auto("data.data_gpu") || !config.is_auto("data.model_gpu");
  if (said || !platform.has(device::cuda(1))) return config;
  const config::Source source{.origin = config::Origin::flag, .place = {}, .flag = "profile dual"};
  config.set("data.data_gpu", "0", source);
  config.set("data.model_gpu", "1", source);
  return config;
}

void profile_dual(const config::Config& config, DualFlags flags, const Common& common) {
  const auto corpus = corpus_folder(flags.folder, config);
  check_writable(flags.files);
  const device::Platform platform;
  train::TrainOptions options = train::train_options(with_two_gpus(config, platform), corpus);
  options.progress = progress_style(common.quiet);
  flags.options.watches_gpus = !flags.no_monitoring;
  const auto profile = train::profile_dual(options, train::load_library(), platform, flags.options);
  put_out({to_json(profile), report_text(profile), report_page(profile)}, flags.files, common);
}

}  // namespace

void add_profile_dual(CLI::App& profile) {
  CLI::App* verb = profile.add_subcommand(
      "dual", "measure a data device that feeds a model device, beside one for both");
  const auto flags = std::make_shared<DualFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  integer(verb->add_option("--num-steps", flags->options.steps,
                           "steps of each run, after a warm-up [100]"),
          1, 1'000'000);
  verb->add_flag("--no-gpu-monitoring", flags->no_monitoring,
                 "do not ask the driver for utilisation and memory");
  add_report_files(*verb, flags->files);
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, step_keys());
  verb->footer(
      "Examples:\n"
      "  seda profile dual corpora/voice --data-gpu 0 --model-gpu 1\n"
      "  seda profile dual corpora/voice --batch-size 32 --num-steps 200 --output dual.txt");
  verb->callback([=] { profile_dual(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
