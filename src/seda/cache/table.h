// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/base/result.h"
#include "seda/cache/record.h"

namespace seda::cache {

namespace detail {
class PartList;
struct TableEntry;
}  // namespace detail

/// The records made with one description, read-only: what was sealed when the cache was opened.
///
/// Any number of threads may read. A lookup takes under a microsecond a part and copies nothing.
/// Each index entry is checked when it is touched, each record's content on its first touch where
/// the cache was opened with `verify`. Faults have the key (hexadecimal) as id and the code
/// `cache_missing` or `cache_damaged`.
class Table {
 public:
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& name() const;
  const Hash128& fingerprint() const;
  const Json& description() const;

  uint64_t size() const;   ///< Keys.
  uint64_t bytes() const;  ///< On disk.
  size_t part_count() const;

  /// Where the newest record under `key` lies and what it is; nothing where the table has no sound
  /// entry for it (`read` tells absent from damaged).
  std::optional<Entry> find(const Key& key) const;
  Result<Entry> entry(Address address) const;

  Result<Record> read(const Key& key) const;
  Result<Record> read(Address address) const;

  /// Copies the record to the start of `target`, for example page-locked memory, without another
  /// copy in between. A target that is too small is an Error(internal).
  Result<Entry> copy(Address address, std::span<std::byte> target) const;

  /// Starts reading the record from the disk and returns at once.
  void prefetch(Address address) const noexcept;

  /// Every key once, part by part, in the order of keys within each. Returns how many entries were
  /// damaged and left out.
  uint64_t for_each(const std::function<void(const Entry&)>& visit) const;

 private:
  friend class Cache;
  Table(detail::TableEntry entry, detail::PartList parts);

  std::unique_ptr<const detail::TableEntry> entry_;
  std::unique_ptr<const detail::PartList> parts_;
};

}  // namespace seda::cache
