// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/listing.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/temporary_folder.h"

namespace seda::feed {
namespace {

using testing_support::TemporaryFolder;

ListingWriter two_clips() {
  ListingWriter writer;
  for (const char* id : {"a", "b"}) {
    ClipRow row;
    row.id = writer.add_string(id);
    row.speaker = writer.share_string("voice");
    row.tokens = 7;
    writer.add(row);
  }
  return writer;
}

ListingInfo info(const std::string& text, const std::string& time) {
  ListingInfo out;
  out.text = text;
  out.tokenizer = "{}";
  out.prepared_at = time;
  out.clips = 2;
  out.hours = 0.5;
  return out;
}

TEST(Listing, ComesBackAsItWas) {
  const TemporaryFolder folder;
  {
    cache::Writer writer(folder / "cache");
    two_clips().write(writer, {{"text", "t"}}, info("t", "2026-01-01T00:00:00Z"));
  }
  for (const bool mapped : {true, false}) {
    const auto cache = cache::Cache::open(folder / "cache", {.memory_mapping = mapped});
    ASSERT_TRUE(cache);
    const auto listing = Listing::latest(*cache);
    ASSERT_TRUE(listing);
    ASSERT_EQ(listing->rows().size(), 2u);
    EXPECT_EQ(listing->string(listing->rows()[0].id), "a");
    EXPECT_EQ(listing->string(listing->rows()[1].id), "b");
    EXPECT_EQ(listing->rows()[0].speaker, listing->rows()[1].speaker) << "kept once";
    EXPECT_EQ(listing->string(listing->rows()[1].speaker), "voice");
    EXPECT_EQ(listing->info().hours, 0.5);
    EXPECT_TRUE(two_clips().equals(*listing));
  }
}

TEST(Listing, ANewOneReplacesTheOld) {
  const TemporaryFolder folder;
  cache::Writer writer(folder / "cache");
  two_clips().write(writer, {{"text", "t"}}, info("t", "2026-01-01T00:00:00Z"));
  ListingInfo later = info("t", "2026-01-02T00:00:00Z");
  later.clips = 3;
  ListingWriter three = two_clips();
  three.add({});
  three.write(writer, {{"text", "t"}}, later);
  const auto cache = cache::Cache::open(folder / "cache");
  EXPECT_EQ(cache->tables().size(), 1u);
  EXPECT_EQ(Listing::latest(*cache)->rows().size(), 3u);
  EXPECT_FALSE(two_clips().equals(*Listing::latest(*cache)));
}

TEST(Listing, LatestIsTheOnePreparedLast) {
  const TemporaryFolder folder;
  cache::Writer writer(folder / "cache");
  two_clips().write(writer, {{"text", "x"}}, info("x", "2026-01-02T00:00:00Z"));
  two_clips().write(writer, {{"text", "y"}}, info("y", "2026-01-01T00:00:00Z"));
  const auto cache = cache::Cache::open(folder / "cache");
  EXPECT_EQ(Listing::latest(*cache)->info().text, "x");
}

TEST(Listing, ThatDoesNotFitTogetherIsNone) {
  const TemporaryFolder folder;
  cache::Writer writer(folder / "cache");
  ListingInfo wrong = info("t", "2026-01-01T00:00:00Z");
  wrong.clips = 9;
  two_clips().write(writer, {{"text", "t"}}, wrong);
  const auto cache = cache::Cache::open(folder / "cache");
  EXPECT_FALSE(Listing::latest(*cache));
}

TEST(Listing, AStringOutOfBoundsIsEmpty) {
  const TemporaryFolder folder;
  cache::Writer writer(folder / "cache");
  two_clips().write(writer, {{"text", "t"}}, info("t", "2026-01-01T00:00:00Z"));
  const auto cache = cache::Cache::open(folder / "cache");
  const auto listing = Listing::latest(*cache);
  for (uint32_t offset = 0; offset < 64; ++offset)
    (void)listing->string(offset);
  EXPECT_EQ(listing->string(1u << 31), "");
  EXPECT_EQ(listing->string(~0u), "");
}

}  // namespace
}  // namespace seda::feed
