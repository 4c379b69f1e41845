// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/text_on_trial.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/support/error_message.h"
#include "tests/support/size_limit.h"
#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::read_file;
using seda::testing_support::SizeLimit;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kBefore = "data:\n  num_workers: 8  # guessed\n";
const std::string kAfter = "data:\n  num_workers: 2  # guessed\n";
const std::string kLonger = kAfter + std::string(1000, '#') + "\n";

class Trials : public testing::Test {
 protected:
  Trials() : file(folder.write("seda.yaml", kBefore)) {}

  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder.path()))
      out.insert(entry.path().filename());
    return out;
  }

  const TemporaryFolder folder;
  const fs::path file;
};

using ReplacedText = Trials;

TEST_F(ReplacedText, LeavesNumberedCopies) {
  EXPECT_EQ(replace_text(file, kAfter), folder / "seda.yaml.bak-1");
  EXPECT_EQ(replace_text(file, kLonger), folder / "seda.yaml.bak-2");
  EXPECT_EQ(read_file(folder / "seda.yaml.bak-1"), kBefore);
  EXPECT_EQ(read_file(folder / "seda.yaml.bak-2"), kAfter);
  EXPECT_EQ(read_file(file), kLonger);
}

TEST_F(ReplacedText, IsAsPrivateInTheCopy) {
  fs::permissions(file, fs::perms(0600));
  EXPECT_EQ(fs::status(replace_text(file, kAfter)).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
}

TEST_F(ReplacedText, WithoutRoomForTheCopyIsNotWritten) {
  std::string message;
  {
    const SizeLimit full(kBefore.size() - 1);
    message = error_message([&] { replace_text(file, "a"); });
  }
  EXPECT_THAT(message, AllOf(HasSubstr("seda.yaml.bak-1: File too large"),
                             HasSubstr("seda.yaml is as it was"), HasSubstr("make room")));
  EXPECT_EQ(read_file(file), kBefore);
  EXPECT_THAT(names(), ElementsAre("seda.yaml"));
}

TEST_F(ReplacedText, WithoutRoomForTheFileLeavesNoCopy) {
  std::string message;
  {
    const SizeLimit full(kBefore.size());
    message = error_message([&] { replace_text(file, kLonger); });
  }
  EXPECT_THAT(message, AllOf(HasSubstr("seda.yaml: File too large"),
                             HasSubstr("seda.yaml is as it was"), HasSubstr("make room")));
  EXPECT_EQ(read_file(file), kBefore);
  EXPECT_THAT(names(), ElementsAre("seda.yaml"));
}

using TextsOnTrial = Trials;

TEST_F(TextsOnTrial, StayWhereTheyAreKept) {
  {
    TextOnTrial trial(file, kBefore, kAfter);
    EXPECT_EQ(read_file(file), kAfter);
    EXPECT_THAT(trial.diff(),
                AllOf(HasSubstr("-  num_workers: 8"), HasSubstr("+  num_workers: 2")));
    trial.keep();
  }
  EXPECT_EQ(read_file(file), kAfter);
  EXPECT_EQ(read_file(folder / "seda.yaml.bak-1"), kBefore);
}

TEST_F(TextsOnTrial, AreTakenBackOnce) {
  {
    TextOnTrial trial(file, kBefore, kAfter);
    trial.take_back();
    EXPECT_EQ(read_file(file), kBefore);
    folder.write("seda.yaml", "edited since");
  }
  EXPECT_EQ(read_file(file), "edited since");
}

TEST_F(TextsOnTrial, AreTakenBackByAnException) {
  const auto judge = [&] {
    const TextOnTrial trial(file, kBefore, kAfter);
    throw_error(ErrorKind::unavailable, "the device is gone");
  };
  EXPECT_EQ(error_message(judge), "the device is gone");
  EXPECT_EQ(read_file(file), kBefore);
}

TEST_F(TextsOnTrial, AreTakenBackWithoutRoom) {
  fs::permissions(file, fs::perms(0600));
  TextOnTrial trial(file, kBefore, kAfter);
  {
    const SizeLimit full(0);
    trial.take_back();
  }
  EXPECT_EQ(read_file(file), kBefore);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0600));
  EXPECT_TRUE(trial.backup().empty());
  EXPECT_THAT(names(), ElementsAre("seda.yaml"));
}

TEST_F(TextsOnTrial, BehindALinkAreTakenBackWithoutRoom) {
  const fs::path link = folder / "link.yaml";
  fs::create_symlink("seda.yaml", link);
  TextOnTrial trial(link, kBefore, kAfter);
  {
    const SizeLimit full(0);
    trial.take_back();
  }
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file(file), kBefore);
}

TEST_F(TextsOnTrial, ThatCannotBeTakenBackNameTheCopy) {
  TextOnTrial trial(file, kBefore, kAfter);
  fs::rename(trial.backup(), folder / "elsewhere");
  std::string message;
  {
    const SizeLimit full(0);
    message = error_message([&] { trial.take_back(); });
  }
  EXPECT_THAT(message, AllOf(HasSubstr("seda.yaml: File too large"),
                             HasSubstr("seda.yaml.bak-1: copy that over it")));
}

}  // namespace
}  // namespace seda::diagnose
