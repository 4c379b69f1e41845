// SPDX-License-Identifier: Apache-2.0
#include "seda/corpus/layout.h"

#include <gtest/gtest.h>

namespace seda::corpus {
namespace {

const Line kFirst{"a", "One.", ""};
const Line kSecond{"b", "Two.", ""};
const std::vector<Clip> kClips = {{&kFirst, "slt"}, {&kSecond, "rms"}};

TEST(Layout, WordsGoBothWays) {
  for (const Layout layout : {Layout::ljspeech, Layout::speakers})
    EXPECT_EQ(parse_layout(to_string(layout)), layout);
  EXPECT_EQ(parse_layout("vctk"), std::nullopt);
}

TEST(Layout, LjspeechNamesSpeakersOnlyOfSeveral) {
  EXPECT_EQ(metadata_text(Layout::ljspeech, kClips, "en", false), "a|One.|One.\nb|Two.|Two.\n");
  EXPECT_EQ(metadata_text(Layout::ljspeech, kClips, "en", true),
            "a|One.|One.|slt\nb|Two.|Two.|rms\n");
  EXPECT_EQ(clip_path(Layout::ljspeech, kClips[1]), "wavs/b.wav");
}

TEST(Layout, SpeakersHasAHeaderAndFolders) {
  EXPECT_EQ(metadata_text(Layout::speakers, kClips, "en", true),
            "path|text|speaker|language\nwavs/slt/a.wav|One.|slt|en\nwavs/rms/b.wav|Two.|rms|en\n");
}

}  // namespace
}  // namespace seda::corpus
