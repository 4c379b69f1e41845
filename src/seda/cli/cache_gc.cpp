// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/units.h"
#include "seda/cache/cache.h"
#include "seda/cache/collect.h"
#include "seda/cache/verify.h"
#include "seda/cache/writer.h"
#include "seda/cli/cache_place.h"
#include "seda/cli/cache_work.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"
#include "seda/feed/live_records.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

void collect(const CachePlace& place, bool repair, const Common& common) {
  const fs::path folder = existing_cache_folder(place);
  cache::Writer writer(folder);
  report_recovery(writer.recovery());
  RecordProgress records_done("gc", cache::count_records(folder), common.quiet);
  const auto opened = cache::Cache::open(folder);
  const auto report = cache::collect(
      writer, opened ? feed::keep_latest(*opened) : cache::Keep{},
      {.check_content = repair, .progress = [&](uint64_t n) { records_done.progress.advance(n); }});
  records_done.progress.finish();
  if (common.json) {
    return print_json({{"tables_dropped", report.tables_dropped},
                       {"records_dropped", report.records_dropped},
                       {"bytes_freed", report.bytes_freed},
                       {"parts_before", report.parts_before},
                       {"parts_after", report.parts_after},
                       {"leftovers_removed", writer.recovery().removed.size()},
                       {"parts_dropped", writer.recovery().dropped.size()},
                       {"damaged", faults_json(report.damaged)}});
  }
  for (const Fault& fault : report.damaged)
    print(fmt::format("dropped {}: {}\n", fault.id, fault.evidence));
  print(fmt::format(
      "{} and {} dropped, {} freed, {} became {}\n", format_count(report.tables_dropped, "table"),
      format_count(report.records_dropped, "record"), format_bytes(report.bytes_freed),
      format_count(report.parts_before, "part"), report.parts_after));
}

}  // namespace

void add_cache_gc(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand(
      "gc", "keep what the last prepare uses, drop the rest, join small parts");
  const auto repair = std::make_shared<bool>(false);
  const auto place = add_cache_place(*verb);
  verb->add_flag("--repair", *repair, "also read every record and drop those that are damaged");
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache gc data/LJSpeech-1.1\n  seda cache gc DIR --repair");
  verb->callback([=] { collect(*place, *repair, *common); });
}

}  // namespace seda::cli
