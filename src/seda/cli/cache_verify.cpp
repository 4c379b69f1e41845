// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/cache/cache.h"
#include "seda/cache/verify.h"
#include "seda/cli/cache_listing.h"
#include "seda/cli/cache_place.h"
#include "seda/cli/cache_work.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/verbs.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

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
  return text + fmt::format("{}, {} checked in {}: {} bad\n",
                            format_count(report.records, "record"), format_bytes(report.bytes),
                            format_seconds(seconds), report.bad.size());
}

void verify(const CachePlace& place, uint64_t sample, const Common& common) {
  const fs::path folder = cache_folder(place);
  const uint64_t records = cache::count_records(folder);
  RecordProgress records_done("verify", sample > 0 ? std::min(sample, records) : records,
                              common.quiet);
  const Stopwatch watch;
  const auto report = cache::verify(folder, {.sample = sample, .progress = [&](uint64_t n) {
                                               records_done.progress.advance(n);
                                             }});
  const double seconds = watch.seconds();
  records_done.progress.finish();
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

}  // namespace

void add_cache_verify(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand("verify", "hold every record against its checksum");
  const auto sample = std::make_shared<uint64_t>(0);
  const auto place = add_cache_place(*verb);
  integer(verb->add_option("--sample", *sample, "check this many records, drawn evenly [all]"), 1,
          1'000'000'000);
  const auto common = add_common(*verb);
  verb->footer(
      "Examples:\n  seda cache verify data/LJSpeech-1.1\n  seda cache verify DIR --sample "
      "1000 --json");
  verb->callback([=] { verify(*place, *sample, *common); });
}

}  // namespace seda::cli
