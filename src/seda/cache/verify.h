// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "seda/cache/record.h"

namespace seda::cache {

struct VerifyOptions {
  uint64_t sample = 0;  ///< Records to check, spread over all and drawn by `seed`; 0: every one.
  uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores.
  std::function<void(uint64_t records)> progress =
      nullptr;  ///< Told of records checked; from any thread.
};

/// Something that is not as it was written.
struct Bad {
  std::optional<Key> key;  ///< None for a damaged index entry, part or manifest.
  std::string table;       ///< Empty for the manifest.
  std::string part;        ///< File.
  std::string evidence;

  bool operator==(const Bad&) const = default;
};

struct VerifyReport {
  uint64_t records = 0;              ///< Checked, bad ones included.
  uint64_t bytes = 0;                ///< Of content, read.
  std::vector<Bad> bad;              ///< In the order of the manifest, then of keys.
  std::vector<std::string> unnamed;  ///< Files of the cache that the manifest does not name: of a
                                     ///< writer at work, or leftovers that the next one removes.
};

/// Records that `verify` will check without a sample; 0 where the manifest cannot be read.
uint64_t count_records(const std::filesystem::path& folder);

/// Reads the cache and holds everything against its checksums: manifest, parts, the order and the
/// places of index entries, content. Goes on past whatever is bad. Nothing where there is no cache.
std::optional<VerifyReport> verify(const std::filesystem::path& folder,
                                   const VerifyOptions& options = {});

}  // namespace seda::cache
