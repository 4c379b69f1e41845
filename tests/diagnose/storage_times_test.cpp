// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/storage_times.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using testing_support::TemporaryFolder;

TEST(StorageTimes, ReadsEveryExtent) {
  const TemporaryFolder folder;
  folder.write("a", std::string(100'000, 'a'));
  folder.write("b", std::string(50'000, 'b'));
  const std::vector<std::filesystem::path> files = {folder / "a", folder / "b"};
  const auto extents = choose_extents(files, 10'000, 40);
  ASSERT_EQ(extents.size(), 40u);
  for (const Extent& extent : extents)
    EXPECT_LE(extent.offset + extent.bytes, std::filesystem::file_size(extent.file));
  const StorageTimes times = time_storage(extents, 3, 1e9);
  EXPECT_EQ(times.reads, 40u);
  EXPECT_EQ(times.bytes, 400'000u);
  EXPECT_EQ(times.failed, 0u);
  EXPECT_GT(times.batch_s(), 0);
}

TEST(StorageTimes, WholeFilesAreReadOnce) {
  const TemporaryFolder folder;
  folder.write("a", "12345");
  folder.write("b", "123");
  const auto extents =
      choose_extents(std::vector<std::filesystem::path>{folder / "a", folder / "b"}, 0, 16);
  EXPECT_EQ(extents.size(), 2u);
  EXPECT_EQ(time_storage(extents, 2, 1e9).bytes, 8u);
}

TEST(StorageTimes, AFileThatIsGoneIsCounted) {
  const std::vector<Extent> extents = {{"/nowhere/at/all", 0, 10}};
  const StorageTimes times = time_storage(extents, 1, 1e9);
  EXPECT_EQ(times.failed, 1u);
  EXPECT_EQ(times.batch_s(), 0);
}

TEST(StorageTimes, FilesSmallerThanAnExtentHaveNone) {
  const TemporaryFolder folder;
  folder.write("a", "12345");
  EXPECT_TRUE(choose_extents(std::vector<std::filesystem::path>{folder / "a"}, 1000, 16).empty());
}

}  // namespace
}  // namespace seda::diagnose
