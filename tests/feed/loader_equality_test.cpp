// SPDX-License-Identifier: Apache-2.0
// The native loader against the reference loader, every byte of every batch.
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "seda/device/platform.h"
#include "seda/feed/batch_layout.h"
#include "seda/feed/cache_source.h"
#include "seda/feed/file_source.h"
#include "seda/feed/native_loader.h"
#include "seda/feed/reference_loader.h"
#include "tests/feed/clips.h"

namespace seda::feed {
namespace {

/// How the clips come to the native loader.
enum class Origin { mels, samples, files };

struct Case {
  std::string name;
  Origin origin = Origin::mels;
  bool fixed_shapes = true;
  Overlong overlong = Overlong::skip;
  double bad_share = 0;

  friend std::ostream& operator<<(std::ostream& out, const Case& how) { return out << how.name; }
};

constexpr int kClips = 40;

/// From 8 to 125 frames.
void sing_all(const Clips& corpus) {
  for (int i = 0; i < kClips; ++i)
    corpus.sing(i, 256 * (8 + 3 * static_cast<size_t>(i)) + static_cast<size_t>(i));
}

std::shared_ptr<const ClipSource> open_source(const PrepareOptions& options, Origin origin) {
  if (origin == Origin::files) return std::make_shared<FileSource>(options);
  PrepareOptions kept = options;
  kept.audio.kind = origin == Origin::mels ? AudioKind::mel : AudioKind::pcm16;
  const auto report = prepare(kept);
  return std::make_shared<CacheSource>(report.cache, *report.listing, cache::OpenOptions{});
}

FeedOptions options_of(const Case& how) {
  FeedOptions options;
  options.workers = 3;
  options.batch_size = 4;
  options.fixed_shapes = how.fixed_shapes;
  options.limits = {60, 100, how.overlong};
  options.order.seed = 11;
  options.inject.bad_share = how.bad_share;
  options.max_fault_share = 1;
  return options;
}

template <typename T>
void expect_same(const T* a, const T* b, size_t count, const char* what) {
  EXPECT_EQ(std::memcmp(a, b, count * sizeof(T)), 0) << what;
}

void expect_equal(const Batch& a, const Batch& b) {
  ASSERT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.info.clips, b.info.clips);
  EXPECT_EQ(a.info.step, b.info.step);
  EXPECT_EQ(a.info.repeats, b.info.repeats);
  EXPECT_EQ(a.info.replaced, b.info.replaced);
  EXPECT_EQ(a.info.last_of_epoch, b.info.last_of_epoch);
  EXPECT_EQ(a.info.real_frames, b.info.real_frames);
  EXPECT_EQ(a.info.real_tokens, b.info.real_tokens);
  const auto rows = static_cast<size_t>(a.shape.batch);
  const auto frames = rows * static_cast<size_t>(a.shape.frames);
  const auto tokens = rows * static_cast<size_t>(a.shape.tokens);
  const auto n_mels = static_cast<size_t>(a.shape.n_mels);
  expect_same(a.arrays.mel, b.arrays.mel, frames * n_mels, "mel");
  expect_same(a.arrays.tokens, b.arrays.tokens, tokens, "tokens");
  expect_same(a.arrays.mel_mask, b.arrays.mel_mask, frames, "mel_mask");
  expect_same(a.arrays.token_mask, b.arrays.token_mask, tokens, "token_mask");
  expect_same(a.arrays.mel_lengths, b.arrays.mel_lengths, rows, "mel_lengths");
  expect_same(a.arrays.token_lengths, b.arrays.token_lengths, rows, "token_lengths");
  expect_same(a.arrays.speakers, b.arrays.speakers, rows, "speakers");
  expect_same(a.arrays.languages, b.arrays.languages, rows, "languages");
}

class LoaderEquality : public testing::TestWithParam<Case> {};

TEST_P(LoaderEquality, NativeBatchesAreTheReferences) {
  const Clips corpus(kClips);
  sing_all(corpus);
  const auto source = open_source(corpus.options(), GetParam().origin);
  const FeedOptions options = options_of(GetParam());
  const device::Platform platform;
  const auto stream = platform.default_stream(device::kCpu);
  ReferenceLoader reference(source, corpus.options(), options, platform);
  NativeLoader native(with_faults(source, options.inject), options, platform);
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (;;) {
      const auto expected = reference.next(stream);
      const auto found = native.next(stream);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) break;
      expect_equal(**found, **expected);
    }
    EXPECT_EQ(native.state(), reference.state());
  }
  EXPECT_EQ(native.faults(), reference.faults());
}

INSTANTIATE_TEST_SUITE_P(
    Ways, LoaderEquality,
    testing::Values(
        Case{.name = "Mels"}, Case{.name = "Samples", .origin = Origin::samples},
        Case{.name = "Files", .origin = Origin::files},
        Case{.name = "FreeShapes", .origin = Origin::samples, .fixed_shapes = false},
        Case{.name = "CutMels", .overlong = Overlong::truncate},
        Case{.name = "CutSamples", .origin = Origin::samples, .overlong = Overlong::truncate},
        Case{.name = "BadClips", .bad_share = 0.2},
        Case{.name = "BadClipsInFreeShapes", .fixed_shapes = false, .bad_share = 0.2}),
    [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace seda::feed
