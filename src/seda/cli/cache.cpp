// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/cache.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/base/progress.h"
#include "seda/base/units.h"
#include "seda/cache/clear.h"
#include "seda/cache/collect.h"
#include "seda/cache/merge.h"
#include "seda/cache/verify.h"
#include "seda/cache/writer.h"
#include "seda/cli/cache_listing.h"
#include "seda/cli/cache_place.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"
#include "seda/feed/listing.h"
#include "seda/feed/live_records.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

void report_recovery(const cache::Recovery& recovery) {
  for (const std::string& file : recovery.removed)
    log::info("removed {}, left by a writer that was stopped", file);
  for (const auto& part : recovery.dropped) {
    log::warning("dropped {} with {} records: {}; they will be prepared again", part.file,
                 part.records, part.reason);
  }
}

Json to_json(const Fault& fault) {
  return {{"id", fault.id}, {"code", fault.code}, {"evidence", fault.evidence}};
}

Json to_json(const std::vector<Fault>& faults) {
  Json list = Json::array();
  for (const Fault& fault : faults)
    list.push_back(to_json(fault));
  return list;
}

/// A bar for its life.
struct Bar {
  Bar(std::string label, uint64_t total, bool quiet)
      : progress({.label = std::move(label),
                  .unit = "records",
                  .total = total,
                  .style = progress_style(quiet),
                  .width = terminal_width()},
                 clock, sink) {}

  SteadyClock clock;
  LogProgressSink sink;
  Progress progress;
};

// seda cache stat

Json table_json(const cache::Table& table) {
  return {{"name", table.name()},        {"fingerprint", table.fingerprint().hex()},
          {"records", table.size()},     {"bytes", table.bytes()},
          {"parts", table.part_count()}, {"description", table.description()}};
}

Json stat_json(const cache::Cache& cache, double open_ms) {
  Json out = listing_summary(cache);
  out.update({{"folder", cache.folder().native()},
              {"bytes", cache.bytes()},
              {"parts", cache.part_count()},
              {"open_ms", open_ms},
              {"tables", Json::array()}});
  for (const cache::Table* table : cache.tables())
    out["tables"].push_back(table_json(*table));
  return out;
}

std::string stat_text(const Json& stat) {
  const auto shown = [](const Json& value) {
    if (value.is_null()) return std::string("not known");
    if (value.is_number_float()) return fmt::format("{:.2f}", value.get<double>());
    return value.is_string() ? value.get<std::string>() : to_json_text(value, -1);
  };
  std::string text = fmt::format(
      "cache      {}\nclips      {}\nhours      {}\nsize       {} in {} parts\nopened in  {:.3g} "
      "ms\naudio      {}\nmel        {}\ntokenizer  {}\n",
      stat["folder"].get<std::string>(), shown(stat["clips"]), shown(stat["hours"]),
      format_bytes(stat["bytes"]), stat["parts"].get<uint64_t>(), stat["open_ms"].get<double>(),
      shown(stat["audio"]), shown(stat["mel"]), shown(stat["tokenizer"]));
  for (const Json& table : stat["tables"]) {
    text += fmt::format(
        "table      {} {}: {} records, {} in {} parts\n", table["name"].get<std::string>(),
        table["fingerprint"].get<std::string>().substr(0, 8), table["records"].get<uint64_t>(),
        format_bytes(table["bytes"]), table["parts"].get<uint64_t>());
  }
  return text;
}

void stat(const CachePlace& place, bool json) {
  const fs::path folder = cache_folder(place);
  const Stopwatch watch;
  const auto cache = cache::Cache::open(folder);
  const double open_ms = watch.seconds() * 1e3;
  if (!cache) throw_no_cache(folder);
  const Json shown = stat_json(*cache, open_ms);
  if (json) {
    print_json(shown);
  } else {
    print(stat_text(shown));
  }
}

void add_stat(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand("stat", "what is in it");
  const auto place = add_cache_place(*verb);
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache stat data/LJSpeech-1.1\n  seda cache stat DIR --json");
  verb->callback([=] { stat(*place, common->json); });
}

// seda cache verify

/// Ids of clips where the listing tells, keys where it does not.
using Names = std::map<cache::Key, std::string>;

/// Empty for what has no key: a damaged index entry, part or manifest.
std::string name_of(const std::optional<cache::Key>& key, const Names& names) {
  if (!key) return {};
  const auto found = names.find(*key);
  return found == names.end() ? key->hex() : found->second;
}

Json bad_json(const cache::Bad& bad, const Names& names) {
  return {{"id", bad.key ? Json(name_of(bad.key, names)) : Json()},
          {"table", bad.table},
          {"part", bad.part},
          {"evidence", bad.evidence}};
}

Json verify_json(const cache::VerifyReport& report, const Names& names, double seconds) {
  Json out = {{"records", report.records},
              {"bad", Json::array()},
              {"unnamed", report.unnamed},
              {"bytes", report.bytes},
              {"seconds", seconds}};
  for (const cache::Bad& bad : report.bad)
    out["bad"].push_back(bad_json(bad, names));
  return out;
}

std::string verify_text(const cache::VerifyReport& report, const Names& names, double seconds) {
  std::string text;
  for (const cache::Bad& bad : report.bad) {
    text += fmt::format("bad  {}  {}  {}\n", bad.key ? name_of(bad.key, names) : "-", bad.part,
                        bad.evidence);
  }
  for (const std::string& file : report.unnamed)
    text += fmt::format("unnamed  {}  (of a writer at work, or removed by the next one)\n", file);
  return text + fmt::format("{} records, {} checked in {}: {} bad\n", report.records,
                            format_bytes(report.bytes), format_seconds(seconds), report.bad.size());
}

void verify(const CachePlace& place, uint64_t sample, const Common& common) {
  const fs::path folder = cache_folder(place);
  const uint64_t records = cache::count_records(folder);
  Bar bar("verify", sample > 0 ? std::min(sample, records) : records, common.quiet);
  const Stopwatch watch;
  const auto report = cache::verify(
      folder, {.sample = sample, .progress = [&](uint64_t n) { bar.progress.advance(n); }});
  const double seconds = watch.seconds();
  bar.progress.finish();
  if (!report) throw_no_cache(folder);
  const Names names = report->bad.empty() ? Names{} : clip_ids(folder);
  if (common.json) {
    print_json(verify_json(*report, names, seconds));
  } else {
    print(verify_text(*report, names, seconds));
  }
  if (report->bad.empty()) return;
  throw_error(ErrorKind::check_failed,
              "{} of {} are not as they were written; 'seda cache gc --repair' drops damaged "
              "records and parts, and 'seda prepare' makes them again",
              report->bad.size(), report->records);
}

void add_verify(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand("verify", "hold every record against its checksum");
  const auto sample = std::make_shared<uint64_t>(0);
  const auto place = add_cache_place(*verb);
  verb->add_option("--sample", *sample, "check this many records, drawn evenly [all]")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  const auto common = add_common(*verb);
  verb->footer(
      "Examples:\n  seda cache verify data/LJSpeech-1.1\n  seda cache verify DIR --sample "
      "1000 --json");
  verb->callback([=] { verify(*place, *sample, *common); });
}

// seda cache gc

void collect(const CachePlace& place, bool repair, const Common& common) {
  const fs::path folder = existing_cache_folder(place);
  cache::Writer writer(folder);
  report_recovery(writer.recovery());
  Bar bar("gc", cache::count_records(folder), common.quiet);
  const auto opened = cache::Cache::open(folder);
  const auto report = cache::collect(
      writer, opened ? feed::keep_latest(*opened) : cache::Keep{},
      {.check_content = repair, .progress = [&](uint64_t n) { bar.progress.advance(n); }});
  bar.progress.finish();
  if (common.json) {
    return print_json({{"tables_dropped", report.tables_dropped},
                       {"records_dropped", report.records_dropped},
                       {"bytes_freed", report.bytes_freed},
                       {"parts_before", report.parts_before},
                       {"parts_after", report.parts_after},
                       {"leftovers_removed", writer.recovery().removed.size()},
                       {"parts_dropped", writer.recovery().dropped.size()},
                       {"damaged", to_json(report.damaged)}});
  }
  for (const Fault& fault : report.damaged)
    print(fmt::format("dropped {}: {}\n", fault.id, fault.evidence));
  print(fmt::format("{} tables and {} records dropped, {} freed, {} parts are now {}\n",
                    report.tables_dropped, report.records_dropped, format_bytes(report.bytes_freed),
                    report.parts_before, report.parts_after));
}

void add_gc(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand(
      "gc", "keep what the last prepare uses, drop the rest, join small parts");
  const auto repair = std::make_shared<bool>(false);
  const auto place = add_cache_place(*verb);
  verb->add_flag("--repair", *repair, "also read every record and drop those that are damaged");
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache gc data/LJSpeech-1.1\n  seda cache gc DIR --repair");
  verb->callback([=] { collect(*place, *repair, *common); });
}

// seda cache clear

bool agreed(const fs::path& folder) {
  if (isatty(STDIN_FILENO) != 1) {
    throw_error(ErrorKind::usage,
                "there is no terminal to ask on; add --yes to remove the cache in {}",
                folder.native());
  }
  fmt::print(stderr, "Remove the cache in {}? [y/N] ", folder.native());
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

void clear(const CachePlace& place, bool yes, const Common& common) {
  const fs::path folder = cache_folder(place);
  if (!cache::holds_cache(folder))
    throw_error(ErrorKind::usage, "{} holds no cache; nothing was removed", folder.native());
  cache::ClearReport report;
  if (yes || agreed(folder)) report = cache::clear(folder);
  if (common.json) {
    return print_json({{"folder", folder.native()},
                       {"files", report.files},
                       {"bytes", report.bytes},
                       {"folder_removed", report.folder_removed}});
  }
  print(report.files == 0
            ? "nothing was removed\n"
            : fmt::format("{} files, {} removed\n", report.files, format_bytes(report.bytes)));
}

void add_clear(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand("clear", "remove it, and nothing else in its folder");
  const auto yes = std::make_shared<bool>(false);
  const auto place = add_cache_place(*verb);
  verb->add_flag("-y,--yes", *yes, "do not ask");
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache clear data/LJSpeech-1.1\n  seda cache clear DIR --yes");
  verb->callback([=] { clear(*place, *yes, *common); });
}

// seda cache merge

/// Where `seda prepare --shard` puts its caches.
std::vector<fs::path> own_shards(const fs::path& folder) {
  std::vector<fs::path> shards;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "shards", none))
    shards.push_back(entry.path());
  std::ranges::sort(shards);
  if (shards.empty()) {
    throw_error(ErrorKind::usage,
                "{} holds no shards; name the caches to join, or make shards with 'seda prepare "
                "--shard i/n'",
                (folder / "shards").native());
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
  Bar bar("merge", total, common.quiet);
  // A listing is of one corpus on one machine: 'seda prepare' writes a new one.
  const auto report =
      cache::merge(writer, folders,
                   {.table = [](const std::string& name) { return name != feed::kListingTable; },
                    .progress = [&](uint64_t n) { bar.progress.advance(n); }});
  bar.progress.finish();
  if (common.json) {
    print_json({{"records_added", report.records_added},
                {"records_shared", report.records_shared},
                {"bytes_added", report.bytes_added},
                {"faults", to_json(report.faults)}});
  } else {
    for (const Fault& fault : report.faults)
      print(fmt::format("{}  {}  {}\n", fault.code, fault.id, fault.evidence));
    print(fmt::format("{} records ({}) added, {} were there, {} faults\n", report.records_added,
                      format_bytes(report.bytes_added), report.records_shared,
                      report.faults.size()));
  }
  if (!report.faults.empty())
    throw_error(ErrorKind::check_failed, "{} records could not be merged", report.faults.size());
}

void add_merge(CLI::App& cache) {
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

}  // namespace

void add_cache(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("cache", "look at, check, tidy, remove or join caches");
  verb->require_subcommand(1);
  add_stat(*verb);
  add_verify(*verb);
  add_gc(*verb);
  add_clear(*verb);
  add_merge(*verb);
  verb->footer("Examples:\n  seda cache stat DIR\n  seda cache verify DIR\n  seda cache clear DIR");
}

}  // namespace seda::cli
