// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "seda/cache/record.h"
#include "seda/cache/table.h"

namespace seda::cache {

struct OpenOptions {
  bool memory_mapping = true;  ///< Off: records are read with pread, for file systems that cut
                               ///< files under their readers.
  bool verify = false;         ///< Check each record's content when it is first touched.

  bool operator==(const OpenOptions&) const = default;
};

/// A cache folder as it was when opened (docs/cache_format.md).
///
/// Opening reads the manifest and the footer of each part, never the records: its cost depends on
/// the number of parts alone. Readers take no lock; a writer that goes on, collects or even clears
/// the folder does not disturb those that are open. Thread-safe.
class Cache {
 public:
  /// Nothing where the folder is missing or holds no cache. A damaged manifest, a part that is
  /// missing, cut or foreign, or a newer format is an Error(io) that names the file and says what
  /// to do.
  static std::optional<Cache> open(const std::filesystem::path& folder,
                                   const OpenOptions& options = {});
  ~Cache();
  Cache(Cache&&) noexcept;
  Cache& operator=(Cache&&) noexcept;

  const std::filesystem::path& folder() const;

  /// In the order in which they were made.
  std::vector<const Table*> tables() const;

  /// nullptr where there is none. Tables live as long as the cache.
  const Table* find_table(std::string_view name, const Hash128& fingerprint) const;

  uint64_t bytes() const;  ///< Of all parts, on disk.
  size_t part_count() const;

 private:
  struct Impl;
  explicit Cache(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace seda::cache
