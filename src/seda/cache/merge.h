// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "seda/base/result.h"
#include "seda/cache/writer.h"

namespace seda::cache {

struct MergeOptions {
  std::function<bool(const std::string& name)> table = nullptr;  ///< Which tables; empty: all.
  std::function<void(uint64_t records)> progress =
      nullptr;  ///< Told of records looked at. Same thread.
};

struct MergeReport {
  uint64_t records_added = 0;
  uint64_t records_shared = 0;  ///< Already there with the same content.
  uint64_t bytes_added = 0;
  std::vector<Fault> faults;  ///< `cache_conflict`: two contents under one key; the first stays.
                              ///< `cache_damaged`: left out.
};

/// Adds to a cache what others hold: shards of one corpus made on several machines.
///
/// Every record is checked as it is read. Tables meet by name and description. A source without a
/// cache, or one that cannot be opened (`Cache::open`), is an Error before anything is written; so
/// is the writer's own folder. Sealed when it returns.
MergeReport merge(Writer& writer, std::span<const std::filesystem::path> sources,
                  const MergeOptions& options = {});

}  // namespace seda::cache
