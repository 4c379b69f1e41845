// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/file_lock.h"
#include "seda/base/json.h"
#include "seda/cache/record.h"

namespace seda::cache {

namespace detail {
class Store;
class TableStore;
}  // namespace detail

struct WriterOptions {
  uint64_t part_bytes = uint64_t{256} << 20;  ///< A part that reaches this is sealed by itself.
  double seal_seconds = 2;  ///< An append this long after the last seal seals: what a kill loses.

  bool operator==(const WriterOptions&) const = default;
};

/// What a writer found and put right when it opened the folder.
struct Recovery {
  struct DroppedPart {
    std::string file;
    std::string reason;
    uint64_t records = 0;
  };

  std::vector<std::string> removed;  ///< Leftovers of a writer that was killed.
  std::vector<DroppedPart> dropped;  ///< Named by the manifest but missing, cut or foreign.

  bool empty() const { return removed.empty() && dropped.empty(); }
};

/// Appends to one table. A handle: copies are the same table, valid while the Writer lives.
/// Thread-safe.
class TableWriter {
 public:
  const Hash128& fingerprint() const;

  /// Adds a record; the newest under a key wins once sealed. May seal (see Writer). After an
  /// Error(io), such as a full disk, what was appended since the last seal may be lost and its
  /// temporary file is removed; what was sealed stays, and later appends may succeed. A shape that
  /// does not fit the bytes is an Error(internal).
  void append(const Key& key, const RecordView& data);

  /// Whether a sound entry is sealed, or a record waits to be.
  bool contains(const Key& key) const;

  /// What is sealed under the key.
  std::optional<Entry> find(const Key& key) const;

 private:
  friend class Writer;
  TableWriter(detail::Store* store, detail::TableStore* table) : store_(store), table_(table) {}

  detail::Store* store_;
  detail::TableStore* table_;
};

/// The one writer of a cache folder, which it makes where there is none.
///
/// Records are gathered in parts; `seal` brings them to disk and then names them in the manifest:
/// from then on every reader that opens the folder sees them, and neither a kill nor a power cut
/// takes them back. An append seals by itself when a part is full or `seal_seconds` have passed.
/// Without a seal the destructor drops what was appended since the last one. Thread-safe; while one
/// thread seals, others go on appending.
class Writer {
 public:
  /// Takes the lock and recovers. A second writer is an Error(unavailable) that names the holder; a
  /// folder that cannot be written, a damaged manifest or a newer format an Error(io).
  explicit Writer(const std::filesystem::path& folder, const WriterOptions& options = {});
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  const std::filesystem::path& folder() const;
  const Recovery& recovery() const;

  /// The table of that name and description. Names are lower-case letters, digits and `_`, at most
  /// 32; another is an Error(internal). The manifest names it from its first sealed record on.
  TableWriter table(std::string_view name, const Json& description);

  /// Seals all tables. Returns when everything appended before it is on the disk.
  void seal();

  /// Seals, then makes `records` the whole content of a table in one step: readers see the old
  /// content or the new. For small tables: all is written at once.
  void replace(std::string_view name, const Json& description, std::span<const NewRecord> records);

 private:
  friend struct WriterAccess;

  std::unique_ptr<detail::Store> store_;
};

/// The process that has a Writer of the cache in `folder` now, if there is one.
std::optional<LockHolder> writer_of(const std::filesystem::path& folder);

}  // namespace seda::cache
