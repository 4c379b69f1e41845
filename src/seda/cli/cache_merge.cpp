// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/cache/clear.h"
#include "seda/cache/merge.h"
#include "seda/cache/verify.h"
#include "seda/cache/writer.h"
#include "seda/cli/cache_place.h"
#include "seda/cli/cache_work.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"
#include "seda/feed/default_cache.h"
#include "seda/feed/listing.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> own_shards(const fs::path& folder) {
  auto shards = shard_folders(folder);
  if (shards.empty()) {
    throw_error(ErrorKind::usage,
                "{} holds no shards; name the caches to join, or make shards with 'seda prepare "
                "--shard i/n'",
                (folder / feed::kShardsFolder).native());
  }
  return shards;
}

/// A shard is given as a cache or as the corpus folder that holds one; none given: all that are
/// below the cache.
std::vector<fs::path> source_folders(const std::vector<std::string>& sources,
                                     const fs::path& target) {
  if (sources.empty()) return own_shards(target);
  std::vector<fs::path> folders;
  for (const std::string& source : sources) {
    const fs::path inner = fs::path(source) / ".seda";
    folders.push_back(cache::holds_cache(source) || !cache::holds_cache(inner) ? fs::path(source)
                                                                               : inner);
  }
  return folders;
}

void merge(const CachePlace& place, const std::vector<std::string>& sources, const Common& common) {
  const fs::path target = cache_folder(place);
  const auto folders = source_folders(sources, target);
  uint64_t total = 0;
  for (const fs::path& folder : folders) {
    if (!cache::holds_cache(folder)) throw_no_cache(folder);
    total += cache::count_records(folder);
  }
  cache::Writer writer(target);
  report_recovery(writer.recovery());
  RecordProgress records_done("merge", total, common.quiet);
  // A listing is of one corpus on one machine: 'seda prepare' writes a new one.
  const auto report =
      cache::merge(writer, folders,
                   {.table = [](const std::string& name) { return name != feed::kListingTable; },
                    .progress = [&](uint64_t n) { records_done.progress.advance(n); }});
  records_done.progress.finish();
  if (common.json) {
    print_json({{"records_added", report.records_added},
                {"records_shared", report.records_shared},
                {"bytes_added", report.bytes_added},
                {"faults", faults_json(report.faults)}});
  } else {
    for (const Fault& fault : report.faults)
      print(fmt::format("{}  {}  {}\n", fault.code, fault.id, fault.evidence));
    print(fmt::format("{} ({}) added, {} there before, {}\n",
                      format_count(report.records_added, "record"),
                      format_bytes(report.bytes_added), report.records_shared,
                      format_count(report.faults.size(), "fault")));
  }
  if (report.faults.empty()) return;
  throw_error(ErrorKind::check_failed, "{} could not be merged",
              format_count(report.faults.size(), "record"));
}

}  // namespace

void add_cache_merge(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand("merge", "join shards made on several machines");
  const auto sources = std::make_shared<std::vector<std::string>>();
  const auto place = add_cache_place(*verb);
  verb->add_option("SHARD", *sources,
                   "caches, or corpus folders that hold one [DIR/.seda/shards/*]");
  const auto common = add_common(*verb);
  verb->footer(
      "Examples:\n  seda cache merge data/LJSpeech-1.1\n  seda cache merge data/LJSpeech-1.1 "
      "/mnt/a/cache /mnt/b/cache\nThen 'seda prepare' lists the clips.");
  verb->callback([=] { merge(*place, *sources, *common); });
}

}  // namespace seda::cli
