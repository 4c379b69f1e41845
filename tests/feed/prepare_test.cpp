// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/prepare.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "seda/base/utf8.h"
#include "seda/cache/cache.h"
#include "seda/cache/writer.h"
#include "seda/feed/listing.h"
#include "seda/feed/text_record.h"
#include "tests/feed/clips.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;
using testing_support::error_message;

TEST(Prepare, BuildsThenKeepsEverything) {
  const Clips corpus(30);
  const auto first = prepare(corpus.options());
  EXPECT_EQ(first.clips, 30u);
  EXPECT_EQ(first.text_built, 30u);
  EXPECT_EQ(first.reasons, (Reasons{{"no cache", 30}}));
  EXPECT_THAT(first.faults, IsEmpty());
  EXPECT_THAT(first.languages, ElementsAre(Pair("en", 30)));
  EXPECT_GT(first.bytes, 0u);
  const auto second = prepare(corpus.options());
  EXPECT_EQ(second.text_hits, 30u);
  EXPECT_EQ(second.text_built, 0u);
  EXPECT_THAT(second.reasons, IsEmpty());
  EXPECT_THAT(second.languages, ElementsAre(Pair("en", 30)));
}

TEST(Prepare, RecordsHoldWhatTheFrontendMakes) {
  const Clips corpus(12);
  const PrepareOptions wanted = corpus.options();
  prepare(wanted);
  const auto cache = cache::Cache::open(corpus.path() / ".seda", {.verify = true});
  const auto listing = Listing::latest(*cache);
  ASSERT_TRUE(listing);
  const cache::Table* texts = nullptr;
  for (const cache::Table* table : cache->tables())
    if (table->name() == "text") texts = table;
  ASSERT_NE(texts, nullptr);
  const text::Frontend frontend(wanted.text.frontend,
                                text::make_fixed_tokenizer(wanted.text.frontend, true));
  const auto clips = corpus.read();
  ASSERT_EQ(listing->rows().size(), 12u);
  for (size_t i = 0; i < 12; ++i) {
    const ClipRow& row = listing->rows()[i];
    EXPECT_EQ(listing->string(row.id), clips.utterances[i].id);
    EXPECT_EQ(listing->string(row.path), "wavs/" + clips.utterances[i].id + ".wav");
    EXPECT_EQ(row.file_bytes, 44 + 2 * (2000 + 10 * i));
    const auto record = texts->read(row.text());
    ASSERT_TRUE(record.ok());
    EXPECT_EQ(record.value().entry.key, row.text_key);
    const auto text = decode_text_record(record.value().bytes);
    ASSERT_TRUE(text);
    const text::Line line = frontend.apply(clips.utterances[i].text, "");
    EXPECT_EQ(text->normalized, line.normalized);
    EXPECT_TRUE(std::ranges::equal(text->tokens, line.encoded.tokens));
    EXPECT_EQ(row.tokens, line.encoded.tokens.size());
    EXPECT_EQ(row.symbols, line.encoded.tokens.size() / 2);
  }
}

TEST(Prepare, LengthsAreThoseOfTheDecodedSound) {
  Clips corpus(1);
  corpus.sing(0, 36'000, 1000);
  for (int run = 0; run < 2; ++run)
    EXPECT_DOUBLE_EQ(prepare(corpus.options()).hours, 0.01);
  corpus.sing(0, 72'000, 1000);
  EXPECT_DOUBLE_EQ(prepare(corpus.options()).hours, 0.02) << "the file changed";
}

TEST(Prepare, AnEditedLineIsReadAgainAlone) {
  Clips corpus(30);
  prepare(corpus.options());
  corpus.set(7, "Another sentence stands here now.");
  corpus.save();
  const auto report = prepare(corpus.options());
  EXPECT_EQ(report.text_built, 1u);
  EXPECT_EQ(report.text_hits, 29u);
  EXPECT_EQ(report.reasons, (Reasons{{"text: line changed", 1}}));
}

TEST(Prepare, NewAndRemovedLinesAreNamed) {
  Clips corpus(30);
  prepare(corpus.options());
  corpus.remove(3);
  corpus.remove(4);
  corpus.set(40, "A sentence that was not there before.");
  corpus.sing(40, 3000);
  corpus.save();
  const auto report = prepare(corpus.options());
  EXPECT_EQ(report.text_built, 1u);
  EXPECT_EQ(report.reasons,
            (Reasons{{"audio: new file", 1}, {"text: new line", 1}, {"line gone", 2}}));
  EXPECT_EQ(report.clips_built, 1u);
  const auto cache = cache::Cache::open(corpus.path() / ".seda");
  EXPECT_EQ(Listing::latest(*cache)->rows().size(), 29u);
}

TEST(Prepare, AChangedParameterReadsEveryLineAndIsNamed) {
  const Clips corpus(10);
  prepare(corpus.options());
  PrepareOptions other = corpus.options();
  other.text.frontend.normalizer.diacritics = text::Diacritics::remove;
  const auto report = prepare(other);
  EXPECT_EQ(report.text_built, 10u);
  EXPECT_EQ(report.reasons, (Reasons{{"text: diacritics keep -> remove", 10}}));
}

TEST(Prepare, TwoConfigurationsKeepBothCaches) {
  const Clips corpus(10);
  prepare(corpus.options());
  PrepareOptions other = corpus.options();
  other.text.add_blank = false;
  EXPECT_EQ(prepare(other).text_built, 10u);
  EXPECT_EQ(prepare(corpus.options()).text_built, 0u);
  EXPECT_EQ(prepare(other).text_built, 0u);
}

TEST(Prepare, ForceMakesEverythingAgain) {
  const Clips corpus(10);
  prepare(corpus.options());
  PrepareOptions forced = corpus.options();
  forced.force = true;
  const auto report = prepare(forced);
  EXPECT_EQ(report.reasons, (Reasons{{"audio: forced", 10}, {"text: forced", 10}}));
}

TEST(Prepare, ADryRunWritesNothing) {
  const Clips corpus(10);
  const auto report = plan_prepare(corpus.options());
  EXPECT_EQ(report.text_built, 10u);
  EXPECT_EQ(report.examples.size(), 5u);
  EXPECT_FALSE(std::filesystem::exists(corpus.path() / ".seda"));
}

TEST(Prepare, TheSameTwiceLeavesTheSameManifest) {
  const Clips corpus(10);
  prepare(corpus.options());
  const std::string manifest = testing_support::read_file(corpus.path() / ".seda/MANIFEST.json");
  prepare(corpus.options());
  EXPECT_EQ(testing_support::read_file(corpus.path() / ".seda/MANIFEST.json"), manifest);
}

TEST(Prepare, LinesWithNothingToSpeakAreFaults) {
  Clips corpus(20);
  corpus.set(5, "😀 😀");
  corpus.save();
  for (int run = 0; run < 2; ++run) {
    const auto report = prepare(corpus.options());
    ASSERT_EQ(report.faults.size(), 1u);
    EXPECT_EQ(report.faults[0].code, "text_silent");
    EXPECT_THAT(report.faults[0].evidence, HasSubstr("metadata.csv:6"));
  }
}

TEST(Prepare, FaultsOfATextThatIsAFileNameTheFileAlone) {
  Clips corpus(2);
  corpus.write("txt/p1/a.txt", "Well said.");
  corpus.write("txt/p1/b.txt", "Never heard.");
  corpus.write("txt/p1/c.txt", "☃" + std::string(40, ' ') + "☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃☃");
  for (const char* id : {"a", "c"})
    corpus.write("wav48/p1/" + std::string(id) + ".wav",
                 audio::wav_bytes(Clips::tone(1, 4000), 22050));
  corpus.write("wav48/p1/b.wav", "no sound");
  PrepareOptions options = corpus.options();
  options.read.format = dataset::Format::vctk;
  const auto report = prepare(options);
  EXPECT_EQ(report.clips, 1u);
  ASSERT_EQ(report.faults.size(), 2u);
  EXPECT_THAT(report.faults[0].evidence,
              StartsWith("txt/p1/c.txt: nothing is left to speak of '☃"));
  EXPECT_FALSE(find_invalid_utf8(report.faults[0].evidence)) << report.faults[0].evidence;
  EXPECT_THAT(report.faults[1].evidence, StartsWith("txt/p1/b.txt: wav48/p1/b.wav: expected wav"));
}

TEST(Prepare, UnknownSymbolsAreCountedWithAnExample) {
  Clips corpus(20);
  corpus.set(5, "A strange ლ letter and another ლ one.");
  corpus.save();
  const auto first = prepare(corpus.options());
  EXPECT_EQ(first.unknown_symbols, 2u);
  EXPECT_EQ(first.lines.unknown, (std::vector<UnknownSymbol>{{"ლ", 2, "clip1005"}}));
  EXPECT_EQ(prepare(corpus.options()).unknown_symbols, 2u) << "known from the cache";
}

TEST(Prepare, ShardsCoverTheCorpusOnce) {
  const Clips corpus(31);
  std::set<std::string> keys;
  uint64_t clips = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    PrepareOptions shard = corpus.options();
    shard.shard = Shard{i, 3};
    const auto report = prepare(shard);
    clips += report.clips;
    EXPECT_EQ(report.cache, corpus.path() / ".seda/shards" / (std::to_string(i) + "-of-3"));
    const auto cache = cache::Cache::open(report.cache);
    for (const cache::Table* table : cache->tables()) {
      table->for_each([&](const cache::Entry& entry) { keys.insert(entry.key.hex()); });
    }
  }
  EXPECT_EQ(clips, 31u);
  EXPECT_EQ(keys.size(), 62u) << "a text and a sound of each";
}

TEST(Prepare, ShardWordsAreChecked) {
  EXPECT_EQ(parse_shard("0/1"), (Shard{0, 1}));
  EXPECT_EQ(parse_shard("7/8"), (Shard{7, 8}));
  for (const char* wrong : {"", "1", "8/8", "a/b", "1/", "/2", "-1/2", "0/0", "1/2/3"}) {
    EXPECT_THAT(error_message([&] { parse_shard(wrong); }), HasSubstr("expected i/n")) << wrong;
  }
}

TEST(Prepare, ALearnedVocabularyStaysWhenALineChanges) {
  Clips corpus(60);
  PrepareOptions pieces = corpus.options();
  pieces.text.tokenizer = text::TokenizerKind::sentencepiece;
  pieces.text.vocabulary_size = 40;
  EXPECT_EQ(prepare(pieces).text_built, 60u);
  corpus.set(3, "Words that no other line of the corpus has.");
  corpus.save();
  const auto report = prepare(pieces);
  EXPECT_EQ(report.text_built, 1u);
  EXPECT_EQ(report.reasons, (Reasons{{"text: line changed", 1}}));
}

TEST(Prepare, ManyRunsDoNotLeaveManyParts) {
  Clips corpus(12);
  for (int run = 0; run < 25; ++run) {
    corpus.set(3, "Another text for the same clip, number " + std::to_string(run) + ".");
    corpus.save();
    prepare(corpus.options());
  }
  const auto cache = cache::Cache::open(corpus.path() / ".seda");
  EXPECT_LE(cache->part_count(), 12u);
  EXPECT_EQ(prepare(corpus.options()).text_built, 0u);
}

TEST(Prepare, ASecondWriterIsToldWhoWrites) {
  const Clips corpus(10);
  const cache::Writer writer(corpus.path() / ".seda");
  EXPECT_THAT(error_message([&] { prepare(corpus.options()); }),
              HasSubstr("process " + std::to_string(getpid())));
}

}  // namespace
}  // namespace seda::feed
