// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/cache_place.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "seda/base/error.h"
#include "seda/cache/clear.h"
#include "seda/feed/default_cache.h"

namespace seda::cli {

namespace fs = std::filesystem;

std::shared_ptr<CachePlace> add_cache_place(CLI::App& verb) {
  auto place = std::make_shared<CachePlace>();
  verb.add_option("DIR", place->dir, "corpus folder, or the cache itself [data.dataset_path]");
  place->flags = add_config_flags(verb, {"data.cache_dir", "data.dataset_path"});
  return place;
}

fs::path cache_folder(const CachePlace& place) {
  const config::Config config = place.flags->load().config;
  given_corpus(place.dir, config);  // refuses two of them
  const bool named = config.source("data.cache_dir").origin == config::Origin::flag;
  if (!named && !place.dir.empty() && cache::holds_cache(place.dir)) return place.dir;
  if (!config.is_auto("data.cache_dir")) return config.text("data.cache_dir");
  return feed::default_cache(corpus_folder(place.dir, config));
}

std::vector<fs::path> shard_folders(const fs::path& cache) {
  std::vector<fs::path> shards;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(cache / feed::kShardsFolder, none)) {
    if (entry.is_directory(none)) shards.push_back(entry.path());
  }
  std::ranges::sort(shards);
  return shards;
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
