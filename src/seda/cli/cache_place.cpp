// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/cache_place.h"

#include <CLI/CLI.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/cache/clear.h"
#include "seda/config/config.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

config::Config load_config(const CachePlace& place) {
  const auto file =
      place.config.empty() ? config::find_config_file() : std::optional<fs::path>(place.config);
  if (!file) return {};
  log::debug("configuration: {}", file->string());
  return config::Config::load(*file);
}

}  // namespace

std::shared_ptr<CachePlace> add_cache_place(CLI::App& verb) {
  auto place = std::make_shared<CachePlace>();
  verb.add_option("DIR", place->dir, "corpus folder, or the cache itself [data.dataset_path]");
  verb.add_option("--cache-dir", place->cache_dir, "folder of the cache [DIR/.seda]")
      ->type_name("DIR");
  verb.add_option("--config", place->config,
                  "configuration file [./seda.yaml, ./configs/config.yaml]")
      ->type_name("FILE");
  return place;
}

fs::path cache_folder(const CachePlace& place) {
  if (!place.cache_dir.empty()) return place.cache_dir;
  if (!place.dir.empty() && cache::holds_cache(place.dir)) return place.dir;
  const config::Config config = load_config(place);
  if (!config.is_auto("data.cache_dir")) return config.text("data.cache_dir");
  if (!place.dir.empty()) return fs::path(place.dir) / ".seda";
  if (!config.is_auto("data.dataset_path"))
    return fs::path(config.text("data.dataset_path")) / ".seda";
  throw_error(ErrorKind::usage,
              "which cache? Give a corpus folder or a cache, --cache-dir, or set data.dataset_path "
              "or data.cache_dir in a configuration file");
}

void throw_no_cache(const fs::path& folder) {
  throw_error(ErrorKind::io, "{} holds no cache; 'seda prepare' makes one", folder.native());
}

fs::path existing_cache_folder(const CachePlace& place) {
  fs::path folder = cache_folder(place);
  if (!cache::holds_cache(folder)) throw_no_cache(folder);
  return folder;
}

}  // namespace seda::cli
