// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/audio_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/clock.h"
#include "seda/cache/description.h"
#include "seda/feed/audio_record.h"
#include "tests/feed/clips.h"

namespace seda::feed {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A folder of sounds, planned and read without the rest of preparing.
class Stage : public testing::Test {
 protected:
  AudioPlan plan() {
    corpus_ = clips_.read();
    const Previous previous(nullptr, kAudio, audio_description(options_));
    AudioPlan plan = plan_sounds(corpus_, options_, previous, {.threads = 2});
    fill_durations(corpus_.utterances, plan, options_.sound.sample_rate, 2);
    order_by_length(plan, corpus_.utterances);
    return plan;
  }

  AudioStageReport read(const AudioPlan& plan, const std::string& cache, int threads = 2) {
    cache::Writer writer(clips_ / cache);
    const SteadyClock clock;
    LogProgressSink sink;
    Progress progress({}, clock, sink);
    const auto table = writer.table("audio", audio_description(options_));
    auto report = read_sounds(corpus_.utterances, plan, options_, table, threads, progress);
    writer.seal();
    return report;
  }

  /// Every record of a cache, by key: shape and bytes.
  std::map<cache::Key, std::string> records(const std::string& folder) {
    std::map<cache::Key, std::string> out;
    const auto cache = cache::Cache::open(clips_ / folder, {.verify = true});
    for (const cache::Table* table : cache->tables()) {
      table->for_each([&](const cache::Entry& entry) {
        const auto record = table->read(entry.address);
        const auto bytes = record.value().bytes;
        std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        for (const uint32_t size : entry.dims.span())
          text += " " + std::to_string(size);
        out.emplace(entry.key, std::move(text));
      });
    }
    return out;
  }

  Clips clips_{12};
  AudioOptions options_;
  dataset::Corpus corpus_;
};

TEST_F(Stage, TheLongestClipsComeFirst) {
  clips_.sing(3, 90'000);
  clips_.sing(7, 80'000, 8000);
  clips_.write(Clips::wav_name(5), std::string(100'000, 'x'));  // 12 s, if it were compressed
  const auto missing = plan().missing;
  EXPECT_THAT(std::vector(missing.begin(), missing.begin() + 4), ElementsAre(5, 7, 3, 11));
}

TEST_F(Stage, AnyNumberOfThreadsMakesTheSameRecords) {
  clips_.sing(2, 30'000, 44'100);
  clips_.write(Clips::wav_name(4), "no sound at all");
  const AudioPlan planned = plan();
  const auto alone = read(planned, "one", 1);
  const auto together = read(planned, "four", 4);
  EXPECT_EQ(records("one"), records("four"));
  EXPECT_EQ(records("one").size(), 12u);
  EXPECT_EQ(alone.sound_s, together.sound_s);
  EXPECT_EQ(alone.resampled, 1u);
  EXPECT_EQ(together.resampled, 1u);
}

TEST_F(Stage, CountsWhatWasDone) {
  options_.sound.trim_below_db = 40;
  options_.sound.trim_margin_s = 0;
  std::vector<int16_t> quiet_ends(44'100);
  const auto tone = Clips::tone(1, 22'050);
  std::ranges::copy(tone, quiet_ends.begin() + 11'025);
  clips_.write(Clips::wav_name(0), audio::wav_bytes(quiet_ends, 22050));
  const auto report = read(plan(), "cache");
  EXPECT_NEAR(report.trimmed_s, 1, 0.1);
  EXPECT_EQ(report.mixed, 0u);
  EXPECT_EQ(report.clipped, 0u);
  EXPECT_THAT(report.unread, IsEmpty());
}

TEST_F(Stage, AFileThatIsGoneLeavesNoRecord) {
  const AudioPlan planned = plan();
  std::filesystem::remove(clips_.wav(3));
  const auto report = read(planned, "cache");
  ASSERT_EQ(report.unread.size(), 1u);
  EXPECT_EQ(report.unread.begin()->first, planned.keys[3]);
  EXPECT_EQ(report.unread.begin()->second.code, "audio_missing");
  EXPECT_EQ(records("cache").size(), 11u);
}

TEST_F(Stage, KeysByContentDoNotDependOnThePlace) {
  options_.identity = FileIdentity::content;
  clips_.write(Clips::wav_name(5), testing_support::read_file(clips_.wav(4)));
  const AudioPlan planned = plan();
  EXPECT_EQ(planned.keys[4], planned.keys[5]);
  EXPECT_NE(planned.keys[4], planned.keys[6]);
  EXPECT_EQ(planned.missing.size(), 11u) << "what two share is read once";
}

}  // namespace
}  // namespace seda::feed
