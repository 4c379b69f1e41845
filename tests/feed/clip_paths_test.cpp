// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/clip_paths.h"

#include <gtest/gtest.h>

namespace seda::feed {
namespace {

TEST(ClipPaths, AreBelowTheCorpusHoweverItIsCalled) {
  const auto here = std::filesystem::current_path();
  for (const std::filesystem::path corpus : {"data/voice", "data/voice/", "./data/../data/voice"}) {
    const ClipPaths paths(corpus);
    EXPECT_EQ(paths(corpus / "wavs/a.wav"), "wavs/a.wav") << corpus;
    EXPECT_EQ(paths(here / "data/voice/wavs/a.wav"), "wavs/a.wav") << corpus;
  }
  EXPECT_EQ(ClipPaths(here / "data")((here / "data/a.wav")), "a.wav");
}

TEST(ClipPaths, OfFilesElsewhereAreTheirOwn) {
  const ClipPaths paths("data/voice");
  EXPECT_EQ(paths("/other/a.wav"), "/other/a.wav");
  EXPECT_EQ(paths("data/voices/a.wav"), "data/voices/a.wav");
}

}  // namespace
}  // namespace seda::feed
