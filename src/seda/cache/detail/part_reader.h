// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "seda/base/result.h"
#include "seda/cache/detail/format.h"
#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/part_source.h"

namespace seda::cache::detail {

struct ReadOptions {
  bool map = true;
  bool verify = false;  ///< Content is checked on first touch.
};

/// What a search came to. Damaged: the key may be one of those whose entries cannot be read.
struct SearchResult {
  enum class State { found, absent, damaged };

  State state = State::absent;
  uint32_t index = 0;
  IndexEntry entry;
};

/// One sealed part. Thread-safe.
///
/// Nothing it is asked, whatever the file holds, reads outside the file or believes an entry whose
/// checksum, place or shape is wrong.
class PartReader {
 public:
  /// A fault says that the part is `part_missing`, `part_cut` (or longer than it was),
  /// `part_foreign` (not this table's, or no part at all), `part_damaged` or `part_newer`; its id
  /// is the file's name. What the system refuses otherwise is an Error(io).
  static Result<std::unique_ptr<PartReader>> open(const std::filesystem::path& folder,
                                                  const TableEntry& table, const PartRecord& part,
                                                  const ReadOptions& options);
  /// The same where nothing is known beforehand.
  static Result<std::unique_ptr<PartReader>> open(const std::filesystem::path& path,
                                                  const ReadOptions& options);

  const std::string& file() const { return file_; }
  uint64_t id() const { return header_.id; }
  uint32_t records() const { return static_cast<uint32_t>(footer_.records); }
  uint64_t bytes() const { return source_.size(); }
  uint64_t payload_bytes() const { return footer_.payload_bytes; }
  const PartHeader& header() const { return header_; }

  /// Nothing where the entry is damaged or there is none.
  std::optional<IndexEntry> entry(uint32_t index) const;
  SearchResult search(const Key& key) const;

  bool is_mapped() const { return source_.is_mapped(); }
  /// The record's bytes, of a mapped part. `entry` must be one of this part's.
  std::span<const std::byte> view(const IndexEntry& entry) const;
  /// False where the system cannot read.
  bool read(const IndexEntry& entry, std::span<std::byte> target) const;
  void prefetch(const IndexEntry& entry) const noexcept;

  /// Whether `bytes` are what was written; without `verify`, or once found good, true at once.
  bool accepts(uint32_t index, const IndexEntry& entry, std::span<const std::byte> bytes) const;

 private:
  PartReader(std::string file, PartSource source, const ReadOptions& options);
  static Result<std::unique_ptr<PartReader>> open_as(const std::filesystem::path& folder,
                                                     const TableEntry& table,
                                                     const PartRecord& part,
                                                     const ReadOptions& options);
  std::optional<Fault> examine(const PartSource& file);
  Fault fault(const char* code, std::string evidence) const;
  std::optional<SearchResult> search_swiftly(const Key& key) const;
  SearchResult search_carefully(const Key& key) const;
  bool lies_before(const Key& key, uint32_t index) const;
  std::optional<uint32_t> sound_near(uint32_t probe, uint32_t low, uint32_t high,
                                     IndexEntry& found) const;

  std::string file_;
  PartSource source_;
  ReadOptions options_;
  PartHeader header_;
  PartFooter footer_;
  uint64_t seed_ = 0;
  std::unique_ptr<std::atomic<uint64_t>[]> checked_;  // a bit per record, with `verify`
};

/// Whether the bytes are those the entry was written for.
bool content_matches(const IndexEntry& entry, std::span<const std::byte> bytes);

}  // namespace seda::cache::detail
