// SPDX-License-Identifier: Apache-2.0
// What happens to a loader when the ground moves under it.
#include <csignal>
#include <filesystem>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/base/interrupt.h"
#include "seda/cache/clear.h"
#include "seda/feed/make_loader.h"
#include "tests/feed/clips.h"
#include "tests/feed/loader_world.h"
#include "tests/support/error_message.h"

namespace seda::feed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LoaderAccidentsTest : public testing::Test {
 protected:
  OpenedClips open(bool use_cache = true) const {
    OpenOptions opening;
    opening.prepare = corpus_.options();
    opening.prepare.audio.kind = AudioKind::pcm16;
    opening.use_cache = use_cache;
    return open_clips(opening);
  }
  FeedOptions options() const {
    FeedOptions out;
    out.workers = 2;
    out.batch_size = 4;
    out.announce = false;
    return out;
  }
  void turn(Loader& loader, size_t batches) {
    for (size_t i = 0; i < batches; ++i)
      loader.next(platform_.default_stream(device::kCpu));
  }

  Clips corpus_{24};
  device::Platform platform_;
};

TEST_F(LoaderAccidentsTest, ACacheThatIsClearedFeedsOn) {
  const auto loader = make_loader(open(), options(), platform_);
  turn(*loader, 2);
  cache::clear(corpus_.path() / ".seda");
  turn(*loader, 30);
  EXPECT_TRUE(loader->faults().empty());
}

TEST_F(LoaderAccidentsTest, ACacheThatIsReplacedFeedsWhatItWas) {
  const auto loader = make_loader(open(), options(), platform_);
  turn(*loader, 2);
  cache::clear(corpus_.path() / ".seda");
  corpus_.sing(3, 5000);
  open();
  turn(*loader, 30);
  EXPECT_TRUE(loader->faults().empty());
}

TEST_F(LoaderAccidentsTest, AnInterruptEndsALoaderThatHeedsIt) {
  const InterruptHandler handler;
  const OpenedClips clips = open();
  std::vector<std::unique_ptr<Loader>> loaders;
  for (const bool heeds : {true, false}) {
    FeedOptions options = this->options();
    options.heeds_interrupt = heeds;
    loaders.push_back(make_loader(clips, options, platform_));
    options.native = false;
    loaders.push_back(make_loader(clips, options, platform_));
  }
  std::raise(SIGTERM);
  for (size_t i : {0, 1})
    EXPECT_THROW(turn(*loaders[i], 1), Error) << i;
  for (size_t i : {2, 3}) {
    turn(*loaders[i], 30);
    EXPECT_GT(loaders[i]->statistics().batches, 20U) << i;
  }
}

TEST_F(LoaderAccidentsTest, AFileThatVanishesIsReplacedAndReported) {
  FeedOptions lenient = options();
  lenient.max_fault_share = 0.1;
  const OpenedClips clips = open(false);
  std::filesystem::remove(corpus_.wav(5));
  const auto loader = make_loader(clips, lenient, platform_);
  turn(*loader, 2 * loader->batches_per_epoch());
  ASSERT_EQ(loader->faults().size(), 1U);
  EXPECT_EQ(loader->faults()[0].id, Clips::id(5));
  EXPECT_EQ(loader->faults()[0].code, "audio_missing");
}

TEST_F(LoaderAccidentsTest, FilesThatVanishInNumbersStopIt) {
  const OpenedClips clips = open(false);
  std::filesystem::remove_all(corpus_.path() / "wavs");
  const auto loader = make_loader(clips, options(), platform_);
  EXPECT_THAT(testing_support::error_message([&] { turn(*loader, 10); }),
              AllOf(HasSubstr("max_fault_share"), HasSubstr("audio_missing")));
}

TEST_F(LoaderAccidentsTest, ADeviceThatIsFullAtPlanTimeIsSaidBeforeTheFirstBatch) {
  testing_support::FakePlatform fake({.devices = 1, .memory_bytes = 1 << 12});
  FeedOptions small = options();
  small.roles.model = device::cuda(0);
  EXPECT_THAT(
      testing_support::error_message([&] { make_loader(open(), small, fake.platform); }),
      AllOf(HasSubstr("the model role"), HasSubstr("4.0 KiB"), HasSubstr("data.batch_size")));
  EXPECT_EQ(fake.backend->used_bytes(0), 0U);
}

TEST_F(LoaderAccidentsTest, PlantedBadClipsAreReplaced) {
  FeedOptions planted = options();
  planted.inject.bad_share = 0.2;
  planted.max_fault_share = 1;
  const auto loader = make_loader(open(), planted, platform_);
  turn(*loader, loader->batches_per_epoch());
  EXPECT_FALSE(loader->faults().empty());
}

}  // namespace
}  // namespace seda::feed
