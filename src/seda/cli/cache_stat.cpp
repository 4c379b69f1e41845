// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/base/units.h"
#include "seda/cache/cache.h"
#include "seda/cli/cache_listing.h"
#include "seda/cli/cache_place.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

void add_cache_stat(CLI::App& cache) {
  CLI::App* verb = cache.add_subcommand("stat", "what is in it");
  const auto place = add_cache_place(*verb);
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache stat data/LJSpeech-1.1\n  seda cache stat DIR --json");
  verb->callback([=] { stat(*place, common->json); });
}

}  // namespace seda::cli
