// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/inject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/clock.h"
#include "seda/base/error.h"
#include "seda/feed/cache_source.h"
#include "tests/feed/clips.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;
using testing_support::error_message;

TEST(Inject, WordsHaveUsualStrengths) {
  EXPECT_EQ(parse_inject({}), Inject{});
  EXPECT_EQ(parse_inject({"slow_storage", "uneven_storage", "slow_decode", "slow_text",
                          "slow_transfer", "host_sync", "slow_clip", "bad_clips"}),
            (Inject{5, 100, 5, 10, 20, 5, 2000, 0.005}));
}

TEST(Inject, WordsTakeStrengths) {
  EXPECT_EQ(parse_inject({"slow_storage=0.5", "bad_clips=1", "slow_clip=1e2"}),
            (Inject{.read_ms = 0.5, .slow_clip_ms = 100, .bad_share = 1}));
}

TEST(Inject, OtherWordsAndNumbersAreErrors) {
  for (const char* word : {"", "slow", "slow_clip=", "slow_clip=x", "slow_clip=0", "slow_clip=-1",
                           "bad_clips=1.5", "slow_clip=1ms", "slow_clip=inf", "=5"}) {
    EXPECT_THAT(error_message([&] { parse_inject({word}); }), HasSubstr("bad_clips")) << word;
  }
}

TEST(Inject, IsDescribedForTheBanner) {
  EXPECT_EQ(describe({}), "");
  EXPECT_EQ(describe({.read_ms = 5, .bad_share = 0.02}), "slow_storage 5 ms, bad_clips 2 %");
}

/// A prepared corpus and its source.
struct Prepared {
  explicit Prepared(int clips) : corpus(clips) {
    PrepareOptions options = corpus.options();
    options.audio.kind = AudioKind::pcm16;
    const auto report = prepare(options);
    source = std::make_shared<CacheSource>(report.cache, *report.listing, cache::OpenOptions{});
  }

  Clips corpus;
  std::shared_ptr<const ClipSource> source;
};

std::vector<std::string> bad_ids(const ClipSource& source) {
  std::vector<std::string> bad;
  const auto reader = source.make_reader();
  for (uint32_t row = 0; row < source.rows().size(); ++row) {
    const auto fault = reader->fetch(row);
    if (!fault) continue;
    EXPECT_EQ(fault->code, "injected");
    EXPECT_EQ(fault->id, source.id(row));
    bad.push_back(fault->id);
  }
  return bad;
}

TEST(WithFaults, WithoutAnyIsTheSourceItself) {
  const Prepared prepared(1);
  EXPECT_EQ(with_faults(prepared.source, {}), prepared.source);
  EXPECT_EQ(with_faults(prepared.source, {.transfer_ms = 5}), prepared.source)
      << "the loader's own affair";
}

TEST(WithFaults, BadClipsDependOnIdsAlone) {
  const Prepared prepared(60);
  const auto some = bad_ids(*with_faults(prepared.source, {.bad_share = 0.2}));
  EXPECT_GT(some.size(), 3u);
  EXPECT_LT(some.size(), 25u);
  EXPECT_EQ(some, bad_ids(*with_faults(prepared.source, {.bad_share = 0.2})));
  const Prepared fewer(30);
  for (const std::string& id : bad_ids(*with_faults(fewer.source, {.bad_share = 0.2})))
    EXPECT_THAT(some, testing::Contains(id));
  EXPECT_EQ(bad_ids(*with_faults(prepared.source, {.bad_share = 1})).size(), 60u);
}

TEST(WithFaults, GivesTheContentOfTheSource) {
  const Prepared prepared(3);
  const auto faulty =
      with_faults(prepared.source, {.read_ms = 0.01, .decode_ms = 0.01, .slow_clip_ms = 0.01});
  EXPECT_FALSE(prepared.source->decodes());
  EXPECT_TRUE(faulty->decodes());
  EXPECT_EQ(faulty->path(), prepared.source->path());
  EXPECT_EQ(faulty->rows().data(), prepared.source->rows().data());
  const auto reader = faulty->make_reader();
  const auto plain = prepared.source->make_reader();
  for (uint32_t row = 0; row < 3; ++row) {
    ASSERT_FALSE(reader->fetch(row) || plain->fetch(row));
    const auto content = reader->content().value();
    const auto expected = plain->content().value();
    EXPECT_TRUE(std::ranges::equal(content.tokens, expected.tokens));
    EXPECT_TRUE(std::ranges::equal(content.samples, expected.samples));
  }
}

TEST(WithFaults, WaitsAtLeastAsLongAsAsked) {
  const Prepared prepared(2);
  const auto faulty = with_faults(prepared.source, {.read_ms = 3, .decode_ms = 2});
  const auto reader = faulty->make_reader();
  const Stopwatch watch;
  EXPECT_FALSE(reader->fetch(0));
  EXPECT_GE(watch.seconds(), 0.003);
}

TEST(WithFaults, TheSlowClipIsOne) {
  const Prepared prepared(5);
  const auto faulty = with_faults(prepared.source, {.slow_clip_ms = 50});
  const auto reader = faulty->make_reader();
  int slow = 0;
  for (uint32_t row = 0; row < 5; ++row) {
    const Stopwatch watch;
    EXPECT_FALSE(reader->fetch(row));
    slow += watch.seconds() >= 0.05 ? 1 : 0;
  }
  EXPECT_GE(slow, 1);
}

TEST(WithFaults, UnevenStorageHoldsUpFewReads) {
  const Prepared prepared(5);
  const auto faulty = with_faults(prepared.source, {.uneven_ms = 50});
  const auto reader = faulty->make_reader();
  const Stopwatch watch;
  for (int read = 0; read < 400; ++read)
    EXPECT_FALSE(reader->fetch(static_cast<uint32_t>(read % 5)));
  EXPECT_GE(watch.seconds(), 0.1) << "two of 400";
}

TEST(WithFaults, SlowTextLeavesASourceAsItIs) {
  const Prepared prepared(2);
  EXPECT_EQ(with_faults(prepared.source, {.text_ms = 50}), prepared.source);
}

}  // namespace
}  // namespace seda::feed
