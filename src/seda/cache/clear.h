// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace seda::cache {

struct ClearReport {
  uint64_t files = 0;
  uint64_t bytes = 0;
  bool folder_removed = false;  ///< Because nothing else was in it.
};

/// Whether the folder holds a cache, sound or damaged: a manifest or parts.
bool holds_cache(const std::filesystem::path& folder);

/// Removes the files of a cache and nothing else, then the folder if it is empty.
///
/// Works on a damaged cache too. A folder that holds none is an Error(usage), one that a writer has
/// locked an Error(unavailable). Readers that have it open are not disturbed. Killed half-way, it
/// leaves an empty cache.
ClearReport clear(const std::filesystem::path& folder);

}  // namespace seda::cache
