// SPDX-License-Identifier: Apache-2.0
// What lies in the cache after preparing, held against the sound files.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/audio/mel_cpu.h"
#include "seda/audio/sound_reader.h"
#include "seda/cache/collect.h"
#include "seda/cache/merge.h"
#include "seda/feed/audio_record.h"
#include "seda/feed/live_records.h"
#include "tests/feed/clips.h"

namespace seda::feed {
namespace {

/// An open cache with its latest listing.
struct Prepared {
  explicit Prepared(const std::filesystem::path& folder)
      : cache(cache::Cache::open(folder, {.verify = true}).value()),
        listing(Listing::latest(cache).value()) {
    for (const cache::Table* table : cache.tables()) {
      if (table->fingerprint().hex() == listing.info().audio) sounds = table;
    }
  }

  cache::Record sound(size_t clip) const {
    return sounds->read(listing.rows()[clip].audio()).value();
  }

  cache::Cache cache;
  Listing listing;
  const cache::Table* sounds = nullptr;
};

PrepareOptions keep_samples(PrepareOptions options) {
  options.audio.kind = AudioKind::pcm16;
  return options;
}

std::vector<float> mel_of(const audio::MelOptions& options, std::span<const int16_t> samples) {
  const audio::MelCpu mel(options);
  audio::MelCpu::Workspace workspace(mel);
  const auto frames = static_cast<size_t>(mel.frames(std::ssize(samples)));
  std::vector<float> out(static_cast<size_t>(options.n_mels) * frames);
  mel.apply(samples, workspace, {out.data(), frames, frames});
  return out;
}

TEST(PreparedSounds, SamplesAreTheFilesOwn) {
  const Clips corpus(5);
  prepare(keep_samples(corpus.options()));
  const Prepared prepared(corpus / ".seda");
  for (int i = 0; i < 5; ++i) {
    const auto record = prepared.sound(static_cast<size_t>(i));
    EXPECT_TRUE(std::ranges::equal(record.as<int16_t>(),
                                   Clips::tone(i, 2000 + 10 * static_cast<size_t>(i))));
    EXPECT_EQ(prepared.listing.rows()[static_cast<size_t>(i)].samples, record.entry.dims[0]);
  }
}

TEST(PreparedSounds, MelsAreThoseOfTheSamples) {
  const Clips corpus(5);
  const PrepareOptions options = corpus.options();
  prepare(options);
  const Prepared prepared(corpus / ".seda");
  for (int i = 0; i < 5; ++i) {
    const auto samples = Clips::tone(i, 2000 + 10 * static_cast<size_t>(i));
    const auto record = prepared.sound(static_cast<size_t>(i));
    EXPECT_TRUE(std::ranges::equal(record.as<float>(), mel_of(options.audio.mel, samples)));
    EXPECT_EQ(audio_shape(record.entry),
              (AudioShape{samples.size(), 80, static_cast<uint32_t>(samples.size() / 256)}));
    EXPECT_EQ(prepared.listing.rows()[static_cast<size_t>(i)].samples, samples.size());
  }
}

TEST(PreparedSounds, ResampledSoundIsTheReadersOwn) {
  Clips corpus(2);
  corpus.sing(1, 30'000, 48'000);
  const PrepareOptions options = keep_samples(corpus.options());
  EXPECT_EQ(prepare(options).sounds.resampled, 1u);
  const Prepared prepared(corpus / ".seda");
  audio::SoundReader reader(options.audio.sound);
  const auto sound = reader.read(corpus.wav(1));
  EXPECT_TRUE(std::ranges::equal(prepared.sound(1).as<int16_t>(), sound.value().samples));
  EXPECT_DOUBLE_EQ(prepared.listing.rows()[1].duration_s,
                   static_cast<double>(sound.value().samples.size()) / 22050);
}

TEST(PreparedSounds, TheListingNamesTheMelOfBothKinds) {
  const Clips corpus(2);
  for (const AudioKind kind : {AudioKind::mel, AudioKind::pcm16}) {
    PrepareOptions options = corpus.options();
    options.audio.kind = kind;
    options.audio.mel.n_mels = 40;
    prepare(options);
    const Prepared prepared(corpus / ".seda");
    EXPECT_EQ(parse_json(prepared.listing.info().mel, "mel"), audio::describe(options.audio.mel));
  }
}

TEST(PreparedSounds, ShardsMergedAreTheWhole) {
  Clips corpus(17);
  corpus.write(Clips::wav_name(6), "no sound");
  prepare(corpus.options());
  std::vector<std::filesystem::path> shards;
  for (uint32_t i = 0; i < 3; ++i) {
    PrepareOptions options = corpus.options();
    options.shard = Shard{i, 3};
    const auto report = prepare(options);
    EXPECT_EQ(report.faults.size(), i == 0 ? 1u : 0u) << "clip 6 is of the first";
    shards.push_back(report.cache);
  }
  PrepareOptions merged = corpus.options();
  merged.cache = corpus / "merged";
  {
    cache::Writer writer(merged.cache);
    EXPECT_EQ(cache::merge(writer, shards).records_added, 34u);
  }
  const auto report = prepare(merged);
  EXPECT_EQ(report.text_built + report.audio_built, 0u);
  EXPECT_EQ(report.faults.size(), 1u);
  const Prepared whole(corpus / ".seda");
  const Prepared joined(merged.cache);
  ASSERT_EQ(whole.listing.rows().size(), joined.listing.rows().size());
  EXPECT_EQ(whole.listing.info().hours, joined.listing.info().hours);
  for (size_t i = 0; i < 17; ++i) {
    EXPECT_EQ(whole.listing.rows()[i].audio_key, joined.listing.rows()[i].audio_key);
    EXPECT_EQ(whole.listing.rows()[i].samples, joined.listing.rows()[i].samples);
    EXPECT_TRUE(std::ranges::equal(whole.sound(i).bytes, joined.sound(i).bytes));
  }
}

TEST(PreparedSounds, CollectingKeepsThoseOfTheLatestListing) {
  Clips corpus(6);
  corpus.write(Clips::wav_name(3), "no sound");
  prepare(corpus.options());
  prepare(keep_samples(corpus.options()));
  prepare(corpus.options());  // the first again, now the latest
  corpus.sing(2, 5000);
  prepare(corpus.options());
  {
    cache::Writer writer(corpus / ".seda");
    const auto opened = cache::Cache::open(corpus / ".seda");
    cache::collect(writer, keep_latest(*opened));
  }
  const Prepared prepared(corpus / ".seda");
  EXPECT_EQ(prepared.cache.tables().size(), 3u);
  EXPECT_EQ(prepared.sounds->size(), 6u) << "without the old sound of clip 2";
  const auto report = prepare(corpus.options());
  EXPECT_EQ(report.text_built + report.audio_built, 0u);
  EXPECT_EQ(report.faults.size(), 1u);
}

TEST(PreparedSounds, PlacesStayRightWhenPartsAreJoined) {
  Clips corpus(8);
  for (int run = 0; run < 25; ++run) {
    corpus.sing(3, 3000 + 7 * static_cast<size_t>(run));
    prepare(keep_samples(corpus.options()));
  }
  const Prepared prepared(corpus / ".seda");
  EXPECT_LE(prepared.cache.part_count(), 24u);
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(prepared.sound(i).entry.key, prepared.listing.rows()[i].audio_key);
}

}  // namespace
}  // namespace seda::feed
