// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "seda/cli/flags.h"

namespace seda::cli {

/// How a verb was told which cache is meant.
struct CachePlace {
  std::string dir;  ///< Corpus folder, or the cache itself.
  std::shared_ptr<ConfigFlags> flags;
};

/// Adds DIR, --config, --cache-dir and --train-data to a verb.
std::shared_ptr<CachePlace> add_cache_place(CLI::App& verb);

/// --cache-dir, else DIR if it is a cache, else data.cache_dir of the file, else `.seda` of DIR or
/// of data.dataset_path. None of them is an Error(usage).
std::filesystem::path cache_folder(const CachePlace& place);

/// The same, of a verb that writes: an Error(io) where there is no cache yet.
std::filesystem::path existing_cache_folder(const CachePlace& place);

/// Folders where `seda prepare --shard` puts the caches of shards: below the cache. Sorted.
std::vector<std::filesystem::path> shard_folders(const std::filesystem::path& cache);

[[noreturn]] void throw_no_cache(const std::filesystem::path& folder);

}  // namespace seda::cli
