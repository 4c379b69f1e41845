// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/cli/flags.h"
#include "seda/cli/prepare_report.h"
#include "seda/cli/verbs.h"
#include "seda/feed/preparation.h"
#include "seda/feed/prepare_options.h"

namespace seda::cli {
namespace {

struct PrepareFlags {
  std::string folder;
  std::string shard;
  bool dry_run = false;
  bool force = false;
};

feed::PrepareOptions prepare_options(const config::Config& config, const PrepareFlags& flags,
                                     const Common& common) {
  auto options = feed::prepare_options(config, corpus_folder(flags.folder, config));
  if (!flags.shard.empty()) options.shard = feed::parse_shard(flags.shard);
  options.force = flags.force;
  options.progress = progress_style(common.quiet);
  return options;
}

/// Of a folder that cannot be had at all the error says what helps; of one that fills up, it says
/// what was kept.
feed::PrepareReport prepare_here(const feed::PrepareOptions& options) {
  feed::Preparation preparation(options);  // what is wrong with the corpus is no fault of the cache
  try {
    return feed::prepare(preparation);
  } catch (const Error& error) {
    const std::string cache = preparation.cache().string();
    if (error.kind() != ErrorKind::io || access(cache.c_str(), W_OK) == 0) throw;
    throw_error(ErrorKind::io, "cannot write the cache {}: {}; name a folder with --cache-dir",
                cache, error.what());
  }
}

void run(const config::Config& config, const PrepareFlags& flags, const Common& common) {
  const auto options = prepare_options(config, flags, common);
  const feed::PrepareReport report =
      flags.dry_run ? feed::plan_prepare(options) : prepare_here(options);
  if (!flags.dry_run) feed::announce_cache(report, report.seconds);
  if (common.json) {
    print_json(to_json(report));
  } else {
    print(report_text(report, flags.dry_run));
  }
  check_faults(report, config.number("data.max_fault_share"));
}

}  // namespace

void add_prepare(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("prepare", "build or update the cache of a corpus");
  const auto flags = std::make_shared<PrepareFlags>();
  verb->add_option("DIR", flags->folder, "corpus folder, or its metadata file [data.dataset_path]");
  verb->add_option("--shard", flags->shard,
                   "prepare the i-th of n parts, from 0, into a cache of its own; seda cache merge "
                   "joins them")
      ->type_name("i/n");
  verb->add_flag("--dry-run", flags->dry_run, "show what would be read and why; write nothing");
  verb->add_flag("--force", flags->force, "make every record again");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(
      *verb, {"data.dataset_path", "data.format", "data.cache_dir", "data.num_workers", "data.hash",
              "data.preprocessing_mode", "data.text", "data.audio", "data.mel"});
  verb->footer(
      "Examples:\n  seda prepare corpora/voice\n  seda prepare corpora/voice --dry-run\n  seda "
      "prepare corpora/voice --shard 0/4 --num-workers 16\n  seda prepare corpora/voice "
      "--hash content --preprocessing-mode on_the_fly\n  seda prepare --config voice.yaml --json");
  verb->callback([=] { run(config_flags->load().config, *flags, *common); });
}

}  // namespace seda::cli
