// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/resident_corpus.h"

#include <csignal>
#include <optional>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/interrupt.h"
#include "seda/device/copy.h"
#include "seda/device/pinned_resource.h"
#include "seda/device/plain_resource.h"
#include "seda/feed/samples_needed.h"
#include "tests/feed/made_source.h"
#include "tests/support/fake_backend.h"
#include "tests/support/statistics_resource.h"

namespace seda::feed {
namespace {

using device::Device;
using seda::testing_support::FakePlatform;
using seda::testing_support::StatisticsResource;
using testing::ElementsAre;
using testing::IsEmpty;

/// The CPU, a fake GPU, a real one.
enum class Place { cpu, fake, cuda };

void PrintTo(Place place, std::ostream* out) {
  *out << (place == Place::cpu ? "cpu" : place == Place::fake ? "fake" : "cuda");
}

class ResidentCorpusOnEachDevice : public testing::TestWithParam<std::tuple<Place, AudioKind>> {
 protected:
  void SetUp() override {
    if (!platform().has(device())) GTEST_SKIP() << platform().cuda_absence();
    stream_.emplace(platform(), device());
    plain_.emplace(platform(), device());
    memory_.emplace(*plain_);
    pinned_.emplace(platform(), device());
    staging_.emplace(*pinned_);
  }

  Place place() const { return std::get<0>(GetParam()); }
  AudioKind kind() const { return std::get<1>(GetParam()); }
  const device::Platform& platform() const {
    return place() == Place::fake ? fake_.platform : machine_;
  }
  Device device() const { return place() == Place::cpu ? device::kCpu : device::cuda(0); }
  ResidentMemory memory() { return {*memory_, *staging_, *stream_}; }

  template <typename T>
  std::vector<T> read(const T* from, size_t count) const {
    std::vector<T> out(count);
    device::copy(device::on_host(out.data()), {from, device()}, count * sizeof(T), *stream_);
    stream_->synchronize();
    return out;
  }

  /// Its sound, in samples or as rows of a mel, is the clip's.
  void expect_sound(const ResidentCorpus& corpus, const ResidentClip& at, const MadeClip& clip) {
    if (kind() == AudioKind::pcm16) {
      const auto* from = static_cast<const int16_t*>(corpus.base().sounds) + at.sound_offset;
      const auto length = static_cast<size_t>(at.sound_length);
      EXPECT_EQ(read(from, length),
                std::vector(clip.samples.begin(),
                            clip.samples.begin() + static_cast<std::ptrdiff_t>(length)));
      return;
    }
    ASSERT_EQ(at.sound_length, at.frames);
    const auto fed = static_cast<size_t>(at.frames);
    for (size_t band = 0; band < 80; ++band) {
      const auto* from =
          static_cast<const float*>(corpus.base().sounds) + at.sound_offset + band * fed;
      const auto row = clip.mel.begin() + static_cast<std::ptrdiff_t>(band) * clip.frames;
      EXPECT_EQ(read(from, fed), std::vector(row, row + at.frames));
    }
  }

  void expect_clip(const ResidentCorpus& corpus, const MadeClip& clip, const ClipLength& length) {
    const auto at = corpus.place(length.row);
    ASSERT_TRUE(at) << length.row;
    EXPECT_EQ(at->frames, length.frames);
    EXPECT_EQ(at->tokens, length.tokens);
    EXPECT_EQ(read(corpus.base().tokens + at->token_offset, static_cast<size_t>(at->tokens)),
              std::vector(clip.tokens.begin(), clip.tokens.begin() + at->tokens));
    expect_sound(corpus, *at, clip);
  }

  FakePlatform fake_;
  device::Platform machine_;
  std::optional<device::Stream> stream_;
  std::optional<device::PlainResource> plain_;
  std::optional<StatisticsResource> memory_;
  std::optional<device::PinnedResource> pinned_;
  std::optional<StatisticsResource> staging_;
};

std::vector<size_t> made_sizes(size_t clips) {
  std::vector<size_t> out;
  for (size_t i = 0; i < clips; ++i)
    out.push_back(1500 + 977 * (i % 11));
  return out;
}

std::vector<ClipLength> lengths_of(const MadeSource& source) {
  const auto all = clip_lengths(source.rows(), dataset::Split::train, source.mel(), {});
  return all.clips;
}

TEST_P(ResidentCorpusOnEachDevice, HoldsEveryClip) {
  const MadeSource source(kind(), made_sizes(40));
  const auto lengths = lengths_of(source);
  for (const size_t chunk : {size_t{1}, size_t{20'000}, size_t{8} << 20}) {
    const ResidentCorpus corpus(source, lengths, {.threads = 3, .chunk_bytes = chunk}, memory());
    EXPECT_THAT(corpus.faults(), IsEmpty());
    EXPECT_EQ(corpus.base().kind, kind());
    for (const ClipLength& length : lengths)
      expect_clip(corpus, source.clip(length.row), length);
  }
}

TEST_P(ResidentCorpusOnEachDevice, TakesJustWhatItSaysItNeeds) {
  const MadeSource source(kind(), made_sizes(25));
  const auto lengths = lengths_of(source);
  const ResidentCorpus corpus(source, lengths, {.threads = 2}, memory());
  EXPECT_EQ(corpus.bytes(), ResidentCorpus::bytes_needed(source, lengths));
  EXPECT_EQ(memory_->statistics().peak_bytes, corpus.bytes());
}

TEST_P(ResidentCorpusOnEachDevice, GivesBackItsStagingMemory) {
  const MadeSource source(kind(), made_sizes(25));
  const ResidentCorpus corpus(source, lengths_of(source), {.threads = 2, .chunk_bytes = 9000},
                              memory());
  const auto staging = staging_->statistics();
  EXPECT_EQ(staging.current_bytes, 0U);
  EXPECT_EQ(staging.allocations, place() == Place::cpu ? 0U : 4U) << "two for each thread";
}

TEST_P(ResidentCorpusOnEachDevice, KeepsWhatIsFedOfClipsThatAreCut) {
  const MadeSource source(kind(), made_sizes(15));
  const LengthLimits limits{.max_symbols = 4, .max_frames = 12, .overlong = Overlong::truncate};
  const auto lengths =
      clip_lengths(source.rows(), dataset::Split::train, source.mel(), limits).clips;
  const ResidentCorpus corpus(source, lengths, {.threads = 2, .chunk_bytes = 30'000}, memory());
  for (const ClipLength& length : lengths) {
    expect_clip(corpus, source.clip(length.row), length);
    const auto at = corpus.place(length.row);
    if (kind() == AudioKind::pcm16) {
      EXPECT_LE(at->sound_length, samples_needed(source.mel(), 12));
    }
  }
}

TEST_P(ResidentCorpusOnEachDevice, ClipsThatCannotBeReadAreFaults) {
  MadeSource source(kind(), made_sizes(12));
  source.spoil(3, "unfetched");
  source.spoil(8, "audio_truncated");
  const auto lengths = lengths_of(source);
  const ResidentCorpus corpus(source, lengths, {.threads = 2, .chunk_bytes = 1}, memory());
  EXPECT_FALSE(corpus.place(3));
  EXPECT_FALSE(corpus.place(8));
  EXPECT_THAT(corpus.faults(),
              ElementsAre(ResidentFault{3, {"clip3", "unfetched", "made up"}},
                          ResidentFault{8, {"clip8", "audio_truncated", "made up"}}));
  for (const ClipLength& length : lengths) {
    if (length.row != 3 && length.row != 8) expect_clip(corpus, source.clip(length.row), length);
  }
}

TEST_P(ResidentCorpusOnEachDevice, ClipsThatWereNotGivenHaveNoPlace) {
  const MadeSource source(kind(), made_sizes(6));
  const auto lengths = lengths_of(source);
  const ResidentCorpus corpus(source, std::span(lengths).subspan(2, 2), {}, memory());
  EXPECT_FALSE(corpus.place(0));
  EXPECT_FALSE(corpus.place(5));
  EXPECT_FALSE(corpus.place(6'000'000));
  expect_clip(corpus, source.clip(2), lengths[2]);
  expect_clip(corpus, source.clip(3), lengths[3]);
}

TEST_P(ResidentCorpusOnEachDevice, NoClipsAreACorpusToo) {
  const MadeSource source(kind(), {});
  const ResidentCorpus corpus(source, {}, {}, memory());
  EXPECT_EQ(corpus.bytes(), 0U);
}

TEST_P(ResidentCorpusOnEachDevice, StopsOnInterrupt) {
  const MadeSource source(kind(), made_sizes(12));
  const InterruptHandler handler;
  std::raise(SIGINT);
  try {
    const ResidentCorpus corpus(source, lengths_of(source), {.threads = 2}, memory());
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(memory_->statistics().current_bytes, 0U);
  EXPECT_EQ(staging_->statistics().current_bytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(Devices, ResidentCorpusOnEachDevice,
                         testing::Combine(testing::Values(Place::cpu, Place::fake, Place::cuda),
                                          testing::Values(AudioKind::pcm16, AudioKind::mel)));

TEST(ResidentCorpus, ClipThatIsShorterThanItsListingSaysIsFedAsItIs) {
  MadeSource source(AudioKind::pcm16, {6000, 6000, 6000});
  source.replace_samples(0, audio::testing_support::made_clip(2000));
  source.replace_samples(1, audio::testing_support::made_clip(1));
  const auto lengths = lengths_of(source);
  const device::Platform platform;
  device::PlainResource memory(platform, device::kCpu);
  const ResidentCorpus corpus(source, lengths, {},
                              {memory, memory, platform.default_stream(device::kCpu)});
  EXPECT_EQ(corpus.place(0)->frames, audio::mel_frames(source.mel(), 2000));
  EXPECT_EQ(corpus.place(0)->sound_length, 2000);
  ASSERT_EQ(corpus.faults().size(), 1U);
  EXPECT_EQ(corpus.faults()[0].fault.code, "audio_too_short");
  EXPECT_EQ(corpus.faults()[0].fault.id, "clip1");
}

TEST(ResidentCorpus, FakeGpuSeesNoCopyFromMemoryThatWasGivenBack) {
  FakePlatform fake;
  const device::Stream stream(fake.platform, device::cuda(0));
  device::PlainResource memory(fake.platform, device::cuda(0));
  device::PinnedResource pinned(fake.platform, device::cuda(0));
  const MadeSource source(AudioKind::pcm16, made_sizes(30));
  const ResidentCorpus corpus(source, lengths_of(source), {.threads = 4, .chunk_bytes = 1},
                              {memory, pinned, stream});
  EXPECT_THAT(fake.backend->violations(), IsEmpty());
}

}  // namespace
}  // namespace seda::feed
