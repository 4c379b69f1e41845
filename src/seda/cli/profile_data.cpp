// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/profile_data.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "seda/cli/data_report.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/report_files.h"
#include "seda/cli/verbs.h"
#include "seda/config/schema.h"

namespace seda::cli {
namespace {

struct DataFlags {
  std::string folder;
  double step_ms = 0;
  bool no_prepare = false;
  std::string trace;
  ReportFiles files;
  diagnose::ProfileOptions options;
};

void profile_data(const config::Config& config, DataFlags flags, const Common& common) {
  const device::Platform platform;
  std::optional<TraceRecorder> trace;
  if (!flags.trace.empty()) trace.emplace();
  flags.options.corpus = corpus_folder(flags.folder, config);
  check_writable(flags.files);
  check_writable(flags.trace);
  flags.options.step_s = 1e-3 * flags.step_ms;
  flags.options.use_cache = !flags.no_prepare;
  flags.options.trace = trace ? &*trace : nullptr;
  flags.options.progress = progress_style(common.quiet);
  const auto profile = diagnose::profile_data(config, platform, flags.options);
  const Report report{to_json(profile, flags.options), report_text(profile, flags.options),
                      report_page(profile, flags.options)};
  do_each({[&] { put_timeline(flags.options.trace, flags.trace); },
           [&] { put_out(report, flags.files, common); }});
}

}  // namespace

void add_profile_data(CLI::App& profile) {
  CLI::App* verb = profile.add_subcommand("data", "time every stage of the loader and judge it");
  const auto flags = std::make_shared<DataFlags>();
  diagnose::ProfileOptions& options = flags->options;
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  integer(
      verb->add_option("--num-batches", options.batches, "batches to time, after a warm-up [100]"),
      1, 1'000'000);
  number(verb->add_option(
             "--step-ms", flags->step_ms,
             "time a training step takes: work of that length is done on each batch [none]"),
         0, 60'000);
  verb->add_flag("--cold", options.cold, "measure with the page cache dropped, then warm");
  verb->add_flag("--compare-reference", options.compare_reference,
                 "the reference loader beside it");
  verb->add_flag("--benchmark", options.benchmark,
                 "try batch sizes and numbers of workers and recommend the cheapest good one");
  integer(verb->add_option("--grid-batch-sizes", options.batch_sizes, "of --benchmark [8,16,32]")
              ->delimiter(','),
          1, 4096);
  integer(verb->add_option("--grid-workers", options.workers, "of --benchmark [4,8,16]")
              ->delimiter(','),
          1, config::kMostWorkers);
  verb->add_flag("--no-prepare", flags->no_prepare, "read raw files, without a cache");
  verb->add_option("--trace", flags->trace, "timeline for ui.perfetto.dev")->type_name("FILE");
  add_report_files(*verb, flags->files);
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb, {"data"});
  verb->footer(
      "Examples:\n  seda profile data corpora/voice\n  seda profile data corpora/voice --step-ms "
      "45 "
      "--num-workers 8\n  seda profile data corpora/voice --cold --compare-reference\n  seda "
      "profile data --config voice.yaml --benchmark --output benchmark_results.txt\n  seda profile "
      "data corpora/voice --trace loader.json --html loader.html");
  verb->callback([=] { profile_data(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
