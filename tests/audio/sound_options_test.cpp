// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/sound_options.h"

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/audio/sound_reader.h"
#include "tests/support/error_message.h"

namespace seda::audio {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using Change = std::function<void(SoundOptions&)>;

SoundOptions changed(const Change& change) {
  SoundOptions options;
  change(options);
  return options;
}

TEST(SoundOptions, DefaultsAreFine) {
  EXPECT_NO_THROW(check(SoundOptions{}));
}

TEST(SoundOptions, WhatCannotBeIsRefusedByName) {
  const std::vector<std::pair<Change, const char*>> cases = {
      {[](SoundOptions& o) { o.sample_rate = 999; }, "sample_rate: expected 1000 to 384000"},
      {[](SoundOptions& o) { o.sample_rate = 384001; }, "found 384001"},
      {[](SoundOptions& o) { o.trim_below_db = 0; }, "silence_threshold: expected 1 to 120 dB"},
      {[](SoundOptions& o) { o.trim_below_db = -40; }, "found -40"},
      {[](SoundOptions& o) { o.trim_margin_s = -0.1; }, "trim_margin: expected 0 to 10 s"},
      {[](SoundOptions& o) { o.trim_margin_s = NAN; }, "found nan"},
      {[](SoundOptions& o) { o.loudness_lufs = 1; }, "loudness: expected -70 to 0 LUFS, found 1"},
      {[](SoundOptions& o) { o.peak_dbfs = 0.1; }, "peak: expected -60 to 0 dBFS, found 0.1"},
      {[](SoundOptions& o) { o.loudness_lufs = -23, o.peak_dbfs = -1; }, "found both"},
  };
  for (const auto& [change, words] : cases) {
    EXPECT_THAT(error_message([&] { check(changed(change)); }), HasSubstr(words));
    EXPECT_THAT(error_message([&] { SoundReader reader(changed(change)); }), HasSubstr(words));
  }
}

TEST(SoundOptions, EachValueThatTouchesSamplesChangesTheDescription) {
  const std::vector<Change> changes = {
      [](SoundOptions&) {},
      [](SoundOptions& o) { o.sample_rate = 16000; },
      [](SoundOptions& o) { o.resample_quality = ResampleQuality::fast; },
      [](SoundOptions& o) { o.resample_quality = ResampleQuality::best; },
      [](SoundOptions& o) { o.trim_below_db = 40; },
      [](SoundOptions& o) { o.trim_below_db = 50; },
      [](SoundOptions& o) { o.trim_below_db = 40, o.trim_margin_s = 0.1; },
      [](SoundOptions& o) { o.loudness_lufs = -23; },
      [](SoundOptions& o) { o.loudness_lufs = -20; },
      [](SoundOptions& o) { o.peak_dbfs = -1; },
      [](SoundOptions& o) { o.peak_dbfs = -3; },
  };
  std::set<std::string> seen;
  for (const Change& change : changes)
    EXPECT_TRUE(seen.insert(describe(changed(change)).dump()).second);
}

TEST(SoundOptions, AStepThatIsOffSaysOnlyThat) {
  const Json plain = describe(SoundOptions{});
  EXPECT_EQ(plain["trim"], "off");
  EXPECT_EQ(plain["loudness"], "off");
  EXPECT_EQ(plain["peak"], "off");
  EXPECT_EQ(describe(changed([](SoundOptions& o) { o.trim_margin_s = 3; })), plain);
}

}  // namespace
}  // namespace seda::audio
