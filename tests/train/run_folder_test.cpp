// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/file.h"
#include "seda/train/checkpoint_folder.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// A run of checkpoints after 3, 6 and 9 updates, the best after `best`.
class RunFolder : public testing::Test {
 protected:
  explicit RunFolder(uint64_t best = 9) {
    for (const uint64_t updates : {3, 6, 9})
      folder_.write(checkpoint_name(updates) + "/" + kDescriptionFile, "{}");
    point_best_at(folder_.path(), checkpoint_name(best));
    for (const char* file : {"log.jsonl", "report.html", "samples/step-00000003-a.wav", "notes.txt",
                             "vocoder/checkpoint.json"})
      folder_.write(file, file);
  }

  fs::path checkpoint(uint64_t updates) const { return folder_ / checkpoint_name(updates); }
  fs::path aside() const { return folder_ / "before-1"; }
  std::vector<std::string> names(const fs::path& folder) const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder))
      out.push_back(entry.path().filename().string());
    return out;
  }

  ::seda::testing_support::TemporaryFolder folder_;
};

TEST_F(RunFolder, StaysAsItIsForWhoGoesOnFromItsNewest) {
  const auto before = names(folder_.path());
  make_room(folder_.path(), checkpoint(9));
  EXPECT_THAT(names(folder_.path()), testing::UnorderedElementsAreArray(before));
}

TEST_F(RunFolder, LosesLaterCheckpointsToWhoGoesBack) {
  make_room(folder_.path(), checkpoint(3));
  EXPECT_THAT(list_checkpoints(folder_.path()), ElementsAre(checkpoint(3)));
  EXPECT_TRUE(best_checkpoint(folder_.path()).empty());
  EXPECT_THAT(list_checkpoints(aside()),
              ElementsAre(aside() / checkpoint_name(6), aside() / checkpoint_name(9)));
  EXPECT_EQ(best_checkpoint(aside()), aside() / checkpoint_name(9));
  EXPECT_EQ(read_file(aside() / "log.jsonl"), "log.jsonl");
  EXPECT_EQ(read_file(folder_ / "log.jsonl"), "log.jsonl") << "its earlier lines stay";
}

TEST_F(RunFolder, KeepsABestThatIsEarlier) {
  point_best_at(folder_.path(), checkpoint_name(3));
  make_room(folder_.path(), folder_ / "best");
  EXPECT_THAT(list_checkpoints(folder_.path()), ElementsAre(checkpoint(3)));
  EXPECT_EQ(best_checkpoint(folder_.path()), checkpoint(3));
}

TEST_F(RunFolder, GivesUpAllThatRunsLeftToAnotherRun) {
  const ::seda::testing_support::TemporaryFolder elsewhere;
  for (const fs::path& from : {fs::path(), elsewhere.path()}) {
    make_room(folder_.path(), from);
    EXPECT_THAT(names(folder_.path()), UnorderedElementsAre("notes.txt", "vocoder", "before-1"));
  }
  EXPECT_THAT(names(aside()),
              UnorderedElementsAre(checkpoint_name(3), checkpoint_name(6), checkpoint_name(9),
                                   "best", "log.jsonl", "report.html", "samples"));
}

TEST_F(RunFolder, NumbersWhatItMovesAside) {
  make_room(folder_.path(), {});
  folder_.write("step-00000001/" + std::string(kDescriptionFile), "{}");
  make_room(folder_.path(), {});
  EXPECT_THAT(list_checkpoints(folder_ / "before-2"), testing::SizeIs(1));
  EXPECT_THAT(list_checkpoints(folder_.path()), IsEmpty());
}

}  // namespace
}  // namespace seda::train
