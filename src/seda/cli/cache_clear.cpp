// SPDX-License-Identifier: Apache-2.0
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

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

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
    throw_error(ErrorKind::io, "{} holds no cache; nothing was removed", folder.native());
  cache::ClearReport report;
  if (yes || agreed(folder)) report = cache::clear(folder);
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
  CLI::App* verb = cache.add_subcommand("clear", "remove it, and nothing else in its folder");
  const auto yes = std::make_shared<bool>(false);
  const auto place = add_cache_place(*verb);
  verb->add_flag("-y,--yes", *yes, "do not ask");
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda cache clear data/LJSpeech-1.1\n  seda cache clear DIR --yes");
  verb->callback([=] { clear(*place, *yes, *common); });
}

}  // namespace seda::cli
