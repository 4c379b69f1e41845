// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/format.h"

#include <gtest/gtest.h>

namespace seda::cache::detail {
namespace {

const PartHeader kHeader{.format = kFormat, .fingerprint = {1, 2}, .id = 3};

IndexEntry sample_entry() {
  return {.key = {4, 5},
          .offset = 128,
          .size = 24,
          .checksum = 0x123456789abcdef0,
          .dims = {2, 3},
          .type = DataType::float32};
}

PartFooter sample_footer() {
  return {.records = 2,
          .records_end = 200,
          .index_offset = 256,
          .file_bytes = 256 + 3 * 64,
          .payload_bytes = 100,
          .header_checksum = 9};
}

/// `decode` gives nothing when any one bit of the block is another.
template <typename Decode>
void expect_every_bit_matters(const Block& block, Decode decode) {
  ASSERT_TRUE(decode(block).has_value());
  for (size_t bit = 0; bit < block.size() * 8; ++bit) {
    Block flipped = block;
    flipped[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_FALSE(decode(flipped).has_value()) << "bit " << bit;
  }
}

TEST(Format, BlocksComeBack) {
  EXPECT_EQ(decode_header(encode(kHeader)), kHeader);
  EXPECT_EQ(decode_footer(encode(sample_footer())), sample_footer());
  EXPECT_EQ(decode_entry(encode(sample_entry(), 7), 7), sample_entry());
}

TEST(Format, EveryBitIsProtected) {
  expect_every_bit_matters(encode(kHeader), decode_header);
  expect_every_bit_matters(encode(sample_footer()), decode_footer);
  expect_every_bit_matters(encode(sample_entry(), 7),
                           [](const Block& block) { return decode_entry(block, 7); });
}

TEST(Format, AnEntryOfAnotherPartIsNotBelieved) {
  EXPECT_FALSE(decode_entry(encode(sample_entry(), 7), 8).has_value());
}

TEST(Format, AnEntryWhoseShapeIsWrongIsNotBelieved) {
  IndexEntry entry = sample_entry();
  entry.size = 25;
  EXPECT_FALSE(decode_entry(encode(entry, 7), 7).has_value());
  entry = sample_entry();
  entry.type = static_cast<DataType>(99);
  EXPECT_FALSE(decode_entry(encode(entry, 7), 7).has_value());
  entry = sample_entry();
  entry.dims.rank = 5;
  EXPECT_FALSE(decode_entry(encode(entry, 7), 7).has_value());
  entry = sample_entry();
  entry.dims.sizes[3] = 1;
  EXPECT_FALSE(decode_entry(encode(entry, 7), 7).has_value());
}

TEST(Format, FootersThatContradictThemselvesAreInconsistent) {
  const uint64_t bytes = sample_footer().file_bytes;
  EXPECT_TRUE(is_consistent(sample_footer(), bytes));
  EXPECT_FALSE(is_consistent(sample_footer(), bytes + 64));
  const auto with = [](uint64_t PartFooter::* field, uint64_t value) {
    PartFooter footer = sample_footer();
    footer.*field = value;
    return footer;
  };
  for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{3}, uint64_t{1} << 58,
                               (uint64_t{1} << 58) + 2, ~uint64_t{0}}) {
    EXPECT_FALSE(is_consistent(with(&PartFooter::records, value), bytes)) << value;
  }
  for (const uint64_t value : {0, 63, 192, 257})
    EXPECT_FALSE(is_consistent(with(&PartFooter::records_end, value), bytes)) << value;
  for (const uint64_t value : {0, 192, 320})
    EXPECT_FALSE(is_consistent(with(&PartFooter::index_offset, value), bytes)) << value;
  EXPECT_FALSE(is_consistent(PartFooter{}, 0));
}

TEST(Format, EntriesOutsideTheRecordsAreNotWithin) {
  const PartFooter footer = sample_footer();
  const auto at = [](uint64_t offset, uint64_t size) {
    IndexEntry entry;
    entry.offset = offset;
    entry.size = size;
    return entry;
  };
  EXPECT_TRUE(is_within(at(64, 136), footer));
  EXPECT_TRUE(is_within(at(192, 8), footer));
  EXPECT_FALSE(is_within(at(64, 137), footer));
  EXPECT_FALSE(is_within(at(0, 1), footer));
  EXPECT_FALSE(is_within(at(65, 1), footer));
  EXPECT_FALSE(is_within(at(256, 0), footer));
  EXPECT_FALSE(is_within(at(64, ~uint64_t{0}), footer));
  EXPECT_FALSE(is_within(at(~uint64_t{63}, 64), footer));
}

}  // namespace
}  // namespace seda::cache::detail
