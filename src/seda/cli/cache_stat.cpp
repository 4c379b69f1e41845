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

std::string shown(const Json& value) {
  if (value.is_null()) return "not known";
  if (value.is_number_float()) return fmt::format("{:.5g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : to_json_text(value, -1);
}

/// "sample_rate 22050, n_fft 1024, …".
std::string pairs(const Json& description) {
  if (!description.is_object()) return shown(description);
  std::string out;
  for (const auto& [name, value] : description.items())
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, shown(value));
  return out;
}

std::string stat_text(const Json& stat) {
  std::string text = fmt::format(
      "cache      {}\nclips      {}\nhours      {}\nsize       {} in {}\nopened in  {:.3g} "
      "ms\naudio      {}\nmel        {}\ntokenizer  {}\n",
      stat["folder"].get<std::string>(), shown(stat["clips"]), shown(stat["hours"]),
      format_bytes(stat["bytes"]), format_count(stat["parts"].get<uint64_t>(), "part"),
      stat["open_ms"].get<double>(), shown(stat["audio"]), pairs(stat["mel"]),
      pairs(stat["tokenizer"]));
  for (const Json& table : stat["tables"]) {
    text += fmt::format("table      {} {}: {}, {} in {}\n", table["name"].get<std::string>(),
                        table["fingerprint"].get<std::string>().substr(0, 8),
                        format_count(table["records"].get<uint64_t>(), "record"),
                        format_bytes(table["bytes"]),
                        format_count(table["parts"].get<uint64_t>(), "part"));
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
