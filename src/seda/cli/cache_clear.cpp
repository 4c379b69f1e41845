// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/units.h"
#include "seda/cache/clear.h"
#include "seda/cli/cache_place.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"
#include "seda/feed/default_cache.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

/// Caches of shards, which 'seda cache merge' leaves.
std::vector<fs::path> shard_caches(const fs::path& folder) {
  auto shards = shard_folders(folder);
  std::erase_if(shards, [](const fs::path& shard) { return !cache::holds_cache(shard); });
  return shards;
}

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

/// The cache and those of its shards.
cache::ClearReport clear_all(const fs::path& folder, const std::vector<fs::path>& shards) {
  cache::ClearReport report;
  const auto clear_one = [&](const fs::path& one) {
    const cache::ClearReport cleared = cache::clear(one);
    report.files += cleared.files;
    report.bytes += cleared.bytes;
  };
  std::ranges::for_each(shards, clear_one);
  rmdir((folder / feed::kShardsFolder).c_str());
  if (cache::holds_cache(folder)) clear_one(folder);
  rmdir(folder.c_str());
  std::error_code none;
  report.folder_removed = !fs::exists(folder, none);
  return report;
}

void clear(const CachePlace& place, bool yes, const Common& common) {
  const fs::path folder = cache_folder(place);
  const auto shards = shard_caches(folder);
  if (shards.empty() && !cache::holds_cache(folder))
    throw_error(ErrorKind::io, "{} holds no cache; nothing was removed", folder.native());
  cache::ClearReport report;
  if (yes || agreed(folder)) report = clear_all(folder, shards);
  if (common.json) {
    return print_json({{"folder", folder.native()},
                       {"files", report.files},
                       {"bytes", report.bytes},
                       {"folder_removed", report.folder_removed}});
  }
  print(report.files == 0 ? "nothing was removed\n"
                          : fmt::format("{}, {} removed\n", format_count(report.files, "file"),
                                        format_bytes(report.bytes)));
}

}  // namespace

void add_cache_clear(CLI::App& cache) {
  CLI::App* verb =
      cache.add_subcommand("clear", "remove it and its shards, and nothing else in its folder");
  const auto yes = std::make_shared<bool>(false);
  const auto place = add_cache_place(*verb);
  verb->add_flag("-y,--yes", *yes, "do not ask");
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache clear data/LJSpeech-1.1\n  seda cache clear DIR --yes");
  verb->callback([=] { clear(*place, *yes, *common); });
}

}  // namespace seda::cli
