// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/text_record.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/random.h"

namespace seda::feed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

text::Line sample() {
  text::Line line;
  line.language = {"fa", 0.75, text::LanguageSource::content};
  line.normalized = "سلام دنیا";
  line.phonemes = "sælɒːm";
  line.encoded.tokens = {2, 5, 2, 1, 2};
  line.encoded.unknown = {"☃", "چ"};
  line.emoji = 3;
  line.dropped = 4;
  return line;
}

/// A record's bytes at an address a record may have.
struct Aligned {
  explicit Aligned(const std::string& bytes) : words((bytes.size() + 3) / 4), size(bytes.size()) {
    if (size > 0) std::memcpy(words.data(), bytes.data(), size);
  }
  std::span<const std::byte> bytes() const {
    return std::as_bytes(std::span(words)).subspan(0, size);
  }
  std::vector<uint32_t> words;
  size_t size;
};

TEST(TextRecord, ComesBackAsItWas) {
  const Aligned stored(encode_text_record(sample()));
  const auto record = decode_text_record(stored.bytes());
  ASSERT_TRUE(record);
  EXPECT_THAT(record->tokens, ElementsAre(2, 5, 2, 1, 2));
  EXPECT_EQ(record->language, "fa");
  EXPECT_EQ(record->confidence, 0.75f);
  EXPECT_EQ(record->normalized, "سلام دنیا");
  EXPECT_EQ(record->phonemes, "sælɒːm");
  EXPECT_THAT(record->unknown, ElementsAre("☃", "چ"));
  EXPECT_EQ(record->emoji, 3u);
  EXPECT_EQ(record->dropped, 4u);
}

TEST(TextRecord, TokensAreReadAlone) {
  const std::string bytes = encode_text_record(sample());
  const Aligned stored(bytes);
  EXPECT_THAT(text_tokens(stored.bytes()).value(), ElementsAre(2, 5, 2, 1, 2));
  EXPECT_FALSE(text_tokens(Aligned(bytes.substr(0, bytes.size() - 1)).bytes()));
  EXPECT_FALSE(text_tokens({}));
}

TEST(TextRecord, OfAnEmptyLineHasNothing) {
  const Aligned stored(encode_text_record({}));
  const auto record = decode_text_record(stored.bytes());
  ASSERT_TRUE(record);
  EXPECT_THAT(record->tokens, IsEmpty());
  EXPECT_THAT(record->unknown, IsEmpty());
}

TEST(TextRecord, CutAnywhereIsNone) {
  const std::string whole = encode_text_record(sample());
  for (size_t size = 0; size < whole.size(); ++size) {
    const Aligned stored(whole.substr(0, size));
    EXPECT_FALSE(decode_text_record(stored.bytes())) << size;
  }
  const Aligned longer(whole + "x");
  EXPECT_FALSE(decode_text_record(longer.bytes()));
}

TEST(TextRecord, AnyBytesAreARecordWithinBoundsOrNone) {
  Random random(3);
  const std::string whole = encode_text_record(sample());
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (uint64_t flips = 1 + random.below(4); flips > 0; --flips)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    const Aligned stored(bytes);
    if (const auto record = decode_text_record(stored.bytes())) {
      EXPECT_LE(record->tokens.size_bytes() + record->normalized.size(), bytes.size());
    }
  }
}

}  // namespace
}  // namespace seda::feed
