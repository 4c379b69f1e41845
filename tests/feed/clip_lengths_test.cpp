// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/clip_lengths.h"

#include <gtest/gtest.h>

namespace seda::feed {
namespace {

using dataset::Split;

const audio::MelOptions kMel;

/// A clip with blanks, of so many frames exactly.
ClipRow row(uint32_t symbols, uint64_t frames, Split split = Split::train) {
  ClipRow out;
  out.symbols = symbols;
  out.tokens = 2 * symbols + 1;
  out.samples = frames * 256;
  out.split = static_cast<uint32_t>(split);
  return out;
}

ClipLengths lengths(const std::vector<ClipRow>& rows, Overlong overlong) {
  return clip_lengths(rows, Split::train, kMel, {10, 100, overlong});
}

TEST(ClipLengths, CountTokensWithBlanksAndFramesOfTheMel) {
  const auto found = lengths({row(10, 100), row(1, 1)}, Overlong::skip);
  EXPECT_EQ(found.clips, (std::vector<ClipLength>{{0, 21, 100}, {1, 3, 1}}));
  EXPECT_EQ(found.report, LengthReport{.clips = 2});
}

TEST(ClipLengths, KeepToOneSplitAndItsRows) {
  const std::vector<ClipRow> rows = {row(1, 1), row(2, 2, Split::validation), row(3, 3)};
  EXPECT_EQ(clip_lengths(rows, Split::train, kMel, {}).clips,
            (std::vector<ClipLength>{{0, 3, 1}, {2, 7, 3}}));
  EXPECT_EQ(clip_lengths(rows, Split::validation, kMel, {}).clips,
            (std::vector<ClipLength>{{1, 5, 2}}));
}

TEST(ClipLengths, SkipOverlongClipsCountedOnce) {
  const auto found =
      lengths({row(11, 100), row(10, 101), row(11, 101), row(10, 100)}, Overlong::skip);
  EXPECT_EQ(found.clips, (std::vector<ClipLength>{{3, 21, 100}}));
  EXPECT_EQ(found.report, (LengthReport{.clips = 1, .skipped_text = 2, .skipped_mel = 1}));
}

TEST(ClipLengths, CutOverlongClipsWhereAsked) {
  const auto found = lengths({row(11, 100), row(10, 101), row(500, 5000)}, Overlong::truncate);
  EXPECT_EQ(found.clips, (std::vector<ClipLength>{{0, 21, 100}, {1, 21, 100}, {2, 21, 100}}));
  EXPECT_EQ(found.report, (LengthReport{.clips = 3, .cut_text = 2, .cut_mel = 2}));
}

TEST(ClipLengths, CutTextsWithoutBlanksToTheLimit) {
  ClipRow plain = row(11, 50);
  plain.tokens = plain.symbols;
  EXPECT_EQ(lengths({plain}, Overlong::truncate).clips, (std::vector<ClipLength>{{0, 10, 50}}));
}

TEST(ClipLengths, LeaveOutWhatCannotBeFed) {
  ClipRow too_short = row(5, 1);
  too_short.samples = 1;
  const auto found = lengths({row(0, 50), row(0, 0), row(5, 0), too_short}, Overlong::skip);
  EXPECT_TRUE(found.clips.empty());
  EXPECT_EQ(found.report, (LengthReport{.unusable = 2, .silent = 2}));
}

TEST(ClipLengths, OfAnEmptyListingAreNone) {
  EXPECT_TRUE(lengths({}, Overlong::skip).clips.empty());
}

}  // namespace
}  // namespace seda::feed
