// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/default_cache.h"

#include <fmt/format.h>

namespace seda::feed {

namespace fs = std::filesystem;

fs::path default_cache(const fs::path& corpus, const std::optional<Shard>& shard) {
  fs::path folder = (fs::is_regular_file(corpus) ? corpus.parent_path() : corpus) / ".seda";
  if (!shard) return folder;
  return folder / kShardsFolder / fmt::format("{}-of-{}", shard->index, shard->count);
}

}  // namespace seda::feed
