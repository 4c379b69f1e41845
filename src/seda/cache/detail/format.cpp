// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/format.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace seda::cache::detail {
namespace {

constexpr std::string_view kHeaderMagic = "SEDAPART";
constexpr std::string_view kFooterMagic = "SEDAPEND";
constexpr size_t kChecksumAt = 56;         // of header and footer
constexpr size_t kEntryChecksumBytes = 6;  // an entry's last word: checksum, rank, type

template <typename T>
T swapped(T value) {
  auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  std::ranges::reverse(bytes);
  return std::bit_cast<T>(bytes);
}

template <typename T>
void store(Block& block, size_t at, T value) {
  if constexpr (std::endian::native == std::endian::big) value = swapped(value);
  std::memcpy(block.data() + at, &value, sizeof(value));
}

template <typename T>
T load(const Block& block, size_t at) {
  T value{};
  std::memcpy(&value, block.data() + at, sizeof(value));
  if constexpr (std::endian::native == std::endian::big) value = swapped(value);
  return value;
}

void store_hash(Block& block, size_t at, const Hash128& hash) {
  store(block, at, hash.high);
  store(block, at + 8, hash.low);
}

Hash128 load_hash(const Block& block, size_t at) {
  return {load<uint64_t>(block, at), load<uint64_t>(block, at + 8)};
}

bool begins_with(const Block& block, std::string_view magic) {
  return std::memcmp(block.data(), magic.data(), magic.size()) == 0;
}

uint64_t checksum_before_last_word(const Block& block) {
  return hash64(std::span(block).first(kChecksumAt));
}

bool is_zero(const Block& block, size_t from, size_t to) {
  return std::all_of(block.begin() + from, block.begin() + to,
                     [](std::byte b) { return b == std::byte{}; });
}

/// The checksum's own bytes count as zero.
uint64_t entry_checksum(Block block, uint64_t seed) {
  std::fill_n(block.begin() + kChecksumAt, kEntryChecksumBytes, std::byte{});
  return hash64(std::span<const std::byte>(block), seed) & 0xffff'ffff'ffff;
}

}  // namespace

Block encode(const PartHeader& header) {
  Block block{};
  std::memcpy(block.data(), kHeaderMagic.data(), kHeaderMagic.size());
  store(block, 8, header.format);
  store(block, 12, static_cast<uint32_t>(kBlockBytes));
  store_hash(block, 16, header.fingerprint);
  store(block, 32, header.id);
  store(block, kChecksumAt, checksum_before_last_word(block));
  return block;
}

Block encode(const PartFooter& footer) {
  Block block{};
  std::memcpy(block.data(), kFooterMagic.data(), kFooterMagic.size());
  store(block, 8, footer.records);
  store(block, 16, footer.records_end);
  store(block, 24, footer.index_offset);
  store(block, 32, footer.file_bytes);
  store(block, 40, footer.payload_bytes);
  store(block, 48, footer.header_checksum);
  store(block, kChecksumAt, checksum_before_last_word(block));
  return block;
}

Block encode(const IndexEntry& entry, uint64_t seed) {
  Block block{};
  store_hash(block, 0, entry.key);
  store(block, 16, entry.offset);
  store(block, 24, entry.size);
  store(block, 32, entry.checksum);
  for (size_t i = 0; i < Dims::kMost; ++i)
    store(block, 40 + 4 * i, entry.dims.sizes[i]);
  block[62] = std::byte{entry.dims.rank};
  block[63] = static_cast<std::byte>(entry.type);
  const uint64_t last = load<uint64_t>(block, kChecksumAt) | entry_checksum(block, seed);
  store(block, kChecksumAt, last);
  return block;
}

bool has_part_magic(const Block& block) {
  return begins_with(block, kHeaderMagic);
}

uint32_t format_of(const Block& header) {
  return load<uint32_t>(header, 8);
}

uint64_t checksum_of(const Block& header) {
  return load<uint64_t>(header, kChecksumAt);
}

std::optional<PartHeader> decode_header(const Block& block) {
  if (!has_part_magic(block) || checksum_of(block) != checksum_before_last_word(block)) return {};
  if (format_of(block) != kFormat || load<uint32_t>(block, 12) != kBlockBytes) return {};
  if (!is_zero(block, 40, kChecksumAt)) return {};
  return PartHeader{
      .format = kFormat, .fingerprint = load_hash(block, 16), .id = load<uint64_t>(block, 32)};
}

std::optional<PartFooter> decode_footer(const Block& block) {
  if (!begins_with(block, kFooterMagic)) return {};
  if (load<uint64_t>(block, kChecksumAt) != checksum_before_last_word(block)) return {};
  return PartFooter{.records = load<uint64_t>(block, 8),
                    .records_end = load<uint64_t>(block, 16),
                    .index_offset = load<uint64_t>(block, 24),
                    .file_bytes = load<uint64_t>(block, 32),
                    .payload_bytes = load<uint64_t>(block, 40),
                    .header_checksum = load<uint64_t>(block, 48)};
}

std::optional<IndexEntry> decode_entry(const Block& block, uint64_t seed) {
  const auto last = load<uint64_t>(block, kChecksumAt);
  if ((last & 0xffff'ffff'ffff) != entry_checksum(block, seed)) return {};
  IndexEntry entry{.key = load_hash(block, 0),
                   .offset = load<uint64_t>(block, 16),
                   .size = load<uint64_t>(block, 24),
                   .checksum = load<uint64_t>(block, 32),
                   .dims = {},
                   .type = static_cast<DataType>(block[63])};
  entry.dims.rank = static_cast<uint8_t>(block[62]);
  if (entry.dims.rank > Dims::kMost) return {};
  for (size_t i = 0; i < Dims::kMost; ++i)
    entry.dims.sizes[i] = load<uint32_t>(block, 40 + 4 * i);
  if (!is_zero(block, 40 + size_t{4} * entry.dims.rank, kChecksumAt)) return {};
  if (!shape_fits(entry.size, entry.dims, entry.type)) return {};
  return entry;
}

Key key_of(std::span<const std::byte> entry) {
  Block block;
  std::memcpy(block.data(), entry.data(), sizeof(Key));
  return load_hash(block, 0);
}

bool is_consistent(const PartFooter& footer, uint64_t file_bytes) {
  if (footer.file_bytes != file_bytes || file_bytes < 2 * kBlockBytes) return false;
  if (footer.records > kMostRecords || footer.records > file_bytes / kBlockBytes) return false;
  const uint64_t tail = (footer.records + 1) * kBlockBytes;
  if (tail > file_bytes - kBlockBytes || footer.index_offset != file_bytes - tail) return false;
  return footer.records_end >= kBlockBytes && footer.records_end <= footer.index_offset &&
         footer.index_offset - footer.records_end < kBlockBytes &&
         footer.index_offset % kBlockBytes == 0;
}

bool is_within(const IndexEntry& entry, const PartFooter& footer) {
  return entry.offset % kBlockBytes == 0 && entry.offset >= kBlockBytes &&
         entry.offset <= footer.records_end && entry.size <= footer.records_end - entry.offset;
}

}  // namespace seda::cache::detail
