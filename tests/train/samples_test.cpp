// SPDX-License-Identifier: Apache-2.0
#include "seda/train/samples.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/size_limit.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using seda::testing_support::read_file;
using seda::testing_support::SizeLimit;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

Sample sample(const std::string& id, int frames) {
  Sample out;
  out.id = id;
  out.alignment = {.durations = {1, 2, 3}, .frames = 6};
  out.spoken.mel.n_mels = 80;
  out.spoken.mel.frames = frames;
  out.spoken.mel.values.assign(static_cast<size_t>(80 * frames), -5);
  return out;
}

class SampleFiles : public testing::Test {
 protected:
  void write(const Sample& sample) {
    EventFile events(folder_ / "tensorboard");
    SampleWriter writer(folder_.path(), {});
    writer.start(7, {sample}, events);
    writer.collect(events, true);
  }

  std::string content(const std::string& name) const {
    return read_file(folder_ / "samples" / name);
  }

  TemporaryFolder folder_;
};

TEST_F(SampleFiles, KeepSoundAndBothPictures) {
  write(sample("anna/1", 10));
  EXPECT_THAT(content("step-00000007-anna_1.wav"), StartsWith("RIFF"));
  EXPECT_THAT(content("step-00000007-anna_1-mel.png"), StartsWith("\x89PNG"));
  EXPECT_THAT(content("step-00000007-anna_1-alignment.png"), StartsWith("\x89PNG"));
}

TEST_F(SampleFiles, OfAModelThatSaysNothingAreTheAlignmentAlone) {
  write(sample("a", 0));
  EXPECT_THAT(content("step-00000007-a-alignment.png"), StartsWith("\x89PNG"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "samples/step-00000007-a.wav"));
}

TEST_F(SampleFiles, ALongIdIsCut) {
  write(sample(std::string(400, 'x'), 10));
  EXPECT_THAT(content("step-00000007-" + std::string(150, 'x') + ".wav"), StartsWith("RIFF"));
}

TEST_F(SampleFiles, ALongIdIsCutBetweenCharacters) {
  std::string id = "x";
  for (int i = 0; i < 100; ++i)
    id += "ک";
  write(sample(id, 10));
  EXPECT_THAT(content("step-00000007-" + id.substr(0, 149) + ".wav"), StartsWith("RIFF"));
}

std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    out[entry.path().filename()] = read_file(entry.path());
  return out;
}

TEST_F(SampleFiles, WithoutRoomAreWholeOrNotThere) {
  write(sample("a", 10));
  const auto whole = contents(folder_ / "samples");
  ASSERT_THAT(whole, SizeIs(3));
  for (const auto& [name, content] : whole) {
    std::filesystem::remove_all(folder_ / "samples");
    EventFile events(folder_ / "tensorboard");
    SampleWriter writer(folder_.path(), {});
    std::string message;
    {
      const SizeLimit full(content.size() - 1);
      writer.start(7, {sample("a", 10)}, events);
      testing::internal::CaptureStderr();
      writer.collect(events, true);
      message = testing::internal::GetCapturedStderr();
    }
    EXPECT_THAT(message, AllOf(HasSubstr("samples/step-00000007-a"), HasSubstr("File too large")));
    const auto left = contents(folder_ / "samples");
    EXPECT_THAT(left, Not(Contains(Key(name))));
    EXPECT_TRUE(std::ranges::includes(whole, left)) << "half a file is left";
  }
}

}  // namespace
}  // namespace seda::train
