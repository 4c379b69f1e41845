// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "seda/feed/shard.h"

namespace seda::feed {

/// The folder in a cache that holds those of shards.
constexpr const char* kShardsFolder = "shards";

/// `<corpus>/.seda`; of a shard, a folder of its own below it, which `seda cache merge` joins.
std::filesystem::path default_cache(const std::filesystem::path& corpus,
                                    const std::optional<Shard>& shard = {});

}  // namespace seda::feed
