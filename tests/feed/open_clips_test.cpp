// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/open_clips.h"

#include <future>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/cache/writer.h"
#include "tests/feed/clips.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::error_message;

OpenOptions options_of(const Clips& corpus) {
  OpenOptions options;
  options.prepare = corpus.options();
  return options;
}

/// What is said on stderr meanwhile.
template <typename Call>
std::string said(Call call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

size_t readable(const ClipSource& source) {
  size_t count = 0;
  const auto reader = source.make_reader();
  for (uint32_t row = 0; row < source.rows().size(); ++row)
    count += !reader->fetch(row) && reader->content() ? 1 : 0;
  return count;
}

TEST(OpenClips, BuildsTheCacheThenLoadsIt) {
  const Clips corpus(4);
  OpenedClips opened;
  const std::string first = said([&] { opened = open_clips(options_of(corpus)); });
  EXPECT_THAT(first, HasSubstr("BUILDING CACHE: 4 clips, 2 workers, because: no cache"));
  EXPECT_THAT(first, HasSubstr("CACHE SAVED: 4 clips in "));
  EXPECT_EQ(opened.cache_state, "built");
  EXPECT_EQ(opened.clips_built, 4u);
  EXPECT_EQ(readable(*opened.source), 4u);
  const std::string second = said([&] { opened = open_clips(options_of(corpus)); });
  EXPECT_THAT(second, HasSubstr("CACHE LOADED: 4 clips in 0."));
  EXPECT_EQ(opened.cache_state, "loaded");
  EXPECT_EQ(opened.clips_built, 0u);
  EXPECT_EQ(opened.source->path(), "cache (mapped)");
  EXPECT_EQ(readable(*opened.source), 4u);
}

TEST(OpenClips, SaysOnlyWhatItMakesWhereItWasOpenedBefore) {
  Clips corpus(3);
  OpenOptions again = options_of(corpus);
  again.announce = false;
  EXPECT_THAT(said([&] { open_clips(again); }), HasSubstr("CACHE SAVED: 3 clips"));
  EXPECT_EQ(said([&] { open_clips(again); }), "");
  const cache::Writer other(corpus / ".seda");
  EXPECT_EQ(said([&] { EXPECT_EQ(open_clips(again).cache_state, "loaded"); }), "");
}

TEST(OpenClips, OfSeveralAtOnceOnePreparesAndAllOpenIt) {
  const Clips corpus(40);
  OpenOptions options = options_of(corpus);
  options.waits = true;
  std::vector<std::future<OpenedClips>> opening;
  for (int i = 0; i < 4; ++i)
    opening.push_back(std::async(std::launch::async, [&] { return open_clips(options); }));
  size_t built = 0;
  for (auto& one : opening) {
    const OpenedClips opened = one.get();
    built += opened.cache_state == "built" ? 1 : 0;
    EXPECT_EQ(opened.source->path(), "cache (mapped)");
    EXPECT_EQ(readable(*opened.source), 40u);
  }
  EXPECT_EQ(built, 1u);
}

TEST(OpenClips, OpensWhatWasAskedForNotWhatWasPreparedLast) {
  const Clips corpus(2);
  OpenOptions samples = options_of(corpus);
  samples.prepare.audio.kind = AudioKind::pcm16;
  open_clips(samples);
  open_clips(options_of(corpus));
  EXPECT_EQ(open_clips(samples).source->kind(), AudioKind::pcm16);
  EXPECT_EQ(open_clips(options_of(corpus)).source->kind(), AudioKind::mel);
}

TEST(OpenClips, WithoutMappingReads) {
  const Clips corpus(2);
  OpenOptions options = options_of(corpus);
  options.memory_mapping = false;
  const auto opened = open_clips(options);
  EXPECT_EQ(opened.source->path(), "cache (read)");
  EXPECT_EQ(readable(*opened.source), 2u);
}

TEST(OpenClips, WithoutACacheWritesNothing) {
  const Clips corpus(3);
  OpenOptions options = options_of(corpus);
  options.use_cache = false;
  const auto opened = open_clips(options);
  EXPECT_EQ(opened.cache_state, "none");
  EXPECT_EQ(opened.source->path(), "files");
  EXPECT_EQ(readable(*opened.source), 3u);
  EXPECT_FALSE(std::filesystem::exists(corpus / ".seda"));
}

TEST(OpenClips, ACacheThatCannotBeWrittenButIsCurrentIsUsed) {
  const Clips corpus(3);
  open_clips(options_of(corpus));
  const cache::Writer other(corpus / ".seda");
  OpenedClips opened;
  const std::string log = said([&] { opened = open_clips(options_of(corpus)); });
  EXPECT_THAT(log, HasSubstr((corpus / ".seda").string()));
  EXPECT_THAT(log, HasSubstr("is current and is used"));
  EXPECT_THAT(log, HasSubstr("CACHE LOADED: 3 clips"));
  EXPECT_EQ(opened.cache_state, "loaded");
  EXPECT_EQ(readable(*opened.source), 3u);
}

TEST(OpenClips, ACacheThatCannotBeWrittenAndIsStaleIsLeftAlone) {
  Clips corpus(3);
  open_clips(options_of(corpus));
  corpus.set(1, "Another line stands here now.");
  corpus.save();
  const cache::Writer other(corpus / ".seda");
  OpenedClips opened;
  const std::string log = said([&] { opened = open_clips(options_of(corpus)); });
  EXPECT_THAT(log, HasSubstr("going on without, from raw files"));
  EXPECT_EQ(opened.cache_state, "none");
  EXPECT_EQ(opened.source->path(), "files");
  EXPECT_EQ(readable(*opened.source), 3u);
}

TEST(OpenClips, ALineThatIsGoneMakesALockedCacheStale) {
  Clips corpus(3);
  open_clips(options_of(corpus));
  corpus.remove(1);
  corpus.save();
  const cache::Writer other(corpus / ".seda");
  const auto opened = open_clips(options_of(corpus));
  EXPECT_EQ(opened.cache_state, "none");
  EXPECT_EQ(opened.source->rows().size(), 2u);
}

TEST(OpenClips, APlaceWhereNoFolderCanBeIsGoneWithout) {
  const Clips corpus(2);
  corpus.write("file", "not a folder");
  OpenOptions options = options_of(corpus);
  options.prepare.cache = corpus / "file" / "cache";
  OpenedClips opened;
  EXPECT_THAT(said([&] { opened = open_clips(options); }), HasSubstr("cannot write the cache"));
  EXPECT_EQ(opened.source->path(), "files");
}

TEST(OpenClips, TellsWhichClipsWereSetAside) {
  const Clips corpus(3);
  corpus.write(Clips::wav_name(1), "no sound");
  for (const bool use_cache : {true, true, false}) {
    OpenOptions options = options_of(corpus);
    options.use_cache = use_cache;
    const auto opened = open_clips(options);
    ASSERT_EQ(opened.faults.size(), 1u);
    EXPECT_EQ(opened.faults[0].id, Clips::id(1));
    EXPECT_EQ(opened.faults[0].code, "audio_format");
  }
}

TEST(OpenClips, AProblemOfTheCorpusIsItsOwnError) {
  const Clips corpus(1);
  OpenOptions options = options_of(corpus);
  options.prepare.corpus = corpus / "nowhere";
  EXPECT_THAT(error_message([&] { open_clips(options); }), HasSubstr("nowhere"));
}

TEST(OpenClips, AVoiceThatIsMissingIsNoProblemOfTheCache) {
  const Clips corpus(1);
  OpenOptions options = options_of(corpus);
  options.prepare.text.frontend.phonemes = true;
  options.prepare.text.frontend.language = "xx";
  const std::string warnings = said([&] {
    EXPECT_THAT(error_message([&] { open_clips(options); }), HasSubstr("language 'xx'"));
  });
  EXPECT_THAT(warnings, Not(HasSubstr("cannot write the cache")));
}

}  // namespace
}  // namespace seda::feed
