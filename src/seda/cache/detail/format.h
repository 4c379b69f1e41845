// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "seda/base/hash.h"
#include "seda/cache/record.h"

/// The bytes of a part, as docs/cache_format.md has them: little-endian, in blocks of 64.
namespace seda::cache::detail {

constexpr uint32_t kFormat = 1;
constexpr uint64_t kBlockBytes = 64;
constexpr uint64_t kMostRecords = 0xffff'fffe;

using Block = std::array<std::byte, kBlockBytes>;

constexpr uint64_t aligned(uint64_t offset) {
  return (offset + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

struct PartHeader {
  uint32_t format = kFormat;
  Hash128 fingerprint;  ///< Of the table.
  uint64_t id = 0;      ///< Of the part.

  bool operator==(const PartHeader&) const = default;
};

struct PartFooter {
  uint64_t records = 0;
  uint64_t records_end = 0;    ///< Where the last record ends.
  uint64_t index_offset = 0;   ///< `aligned(records_end)`.
  uint64_t file_bytes = 0;     ///< Index and footer included.
  uint64_t payload_bytes = 0;  ///< Sum of the records' sizes.
  uint64_t header_checksum = 0;

  bool operator==(const PartFooter&) const = default;
};

struct IndexEntry {
  Key key;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t checksum = 0;  ///< XXH3 of the record's bytes.
  Dims dims;
  DataType type = DataType::raw;

  bool operator==(const IndexEntry&) const = default;
};

Block encode(const PartHeader& header);
Block encode(const PartFooter& footer);
/// `seed` ties the entry to its part: `checksum_of` its header.
Block encode(const IndexEntry& entry, uint64_t seed);

/// Whether it begins as a part does, of whatever format.
bool has_part_magic(const Block& block);
/// Of a block that has the magic; meaningful before anything else is checked.
uint32_t format_of(const Block& header);
uint64_t checksum_of(const Block& header);

/// Nothing where the checksum or anything that does not depend on the file is wrong.
std::optional<PartHeader> decode_header(const Block& block);
std::optional<PartFooter> decode_footer(const Block& block);
std::optional<IndexEntry> decode_entry(const Block& block, uint64_t seed);

/// The key of an entry, as it stands there. `entry` has 64 bytes.
Key key_of(std::span<const std::byte> entry);

/// Whether counts and offsets agree with each other and with the size of the file.
bool is_consistent(const PartFooter& footer, uint64_t file_bytes);
/// Whether the record lies where records may lie.
bool is_within(const IndexEntry& entry, const PartFooter& footer);

}  // namespace seda::cache::detail
