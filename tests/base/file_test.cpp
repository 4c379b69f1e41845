// SPDX-License-Identifier: Apache-2.0
#include "seda/base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

TEST(ReadFile, GivesEveryByte) {
  const TemporaryFolder folder;
  const std::string content = std::string("a\0b\r\n\xff", 6) + std::string(100'000, 'x');
  EXPECT_EQ(read_file(folder.write("data", content)), content);
  EXPECT_EQ(read_file(folder.write("empty", "")), "");
}

TEST(ReadFile, ReadsFilesThatClaimNoSize) {
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("VmRSS"));
  EXPECT_GT(read_file("/proc/self/maps").size(), 4096u) << "more than one read";
}

TEST(ReadFile, RefusesMoreThanTheLimit) {
  const TemporaryFolder folder;
  const auto path = folder.write("data", "12345678");
  EXPECT_EQ(read_file(path, 8), "12345678");
  EXPECT_THAT(error_message([&] { read_file(path, 7); }), HasSubstr("at most 7 B"));
  EXPECT_THAT(error_message([&] { read_file("/proc/self/maps", 100); }), HasSubstr("at most 100 B"))
      << "a file that claims no size";
}

TEST(ReadFile, SaysWhatIsWrongAndWhere) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { read_file(folder / "absent"); }),
              testing::AllOf(HasSubstr("absent"), HasSubstr("No such file")));
  EXPECT_THAT(error_message([&] { read_file(folder.path()); }), HasSubstr("found a folder"));
  EXPECT_THAT(error_message([&] { read_file("/dev/null"); }), HasSubstr("found a device"));
}

TEST(ReadFile, DoesNotHangOnAPipeNobodyWritesTo) {
  const TemporaryFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_message([&] { read_file(pipe); }), HasSubstr("found a pipe"));
}

TEST(CreateFolders, MakesAllAndAcceptsThoseThere) {
  const TemporaryFolder folder;
  create_folders(folder / "a/b/c");
  EXPECT_TRUE(fs::is_directory(folder / "a/b/c"));
  EXPECT_NO_THROW(create_folders(folder / "a/b/c"));
}

TEST(CreateFolders, AFileInTheWayIsNamed) {
  const TemporaryFolder folder;
  folder.write("file", "x");
  EXPECT_THAT(error_message([&] { create_folders(folder / "file/sub"); }),
              testing::AllOf(HasSubstr("file/sub"), HasSubstr("Not a directory")));
  EXPECT_THAT(error_message([&] { create_folders("/proc/nothing/new"); }),
              HasSubstr("/proc/nothing/new"));
}

TEST(SyncFolder, WorksOnAFolderAndRefusesAFile) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW(sync_folder(folder.path()));
  EXPECT_THROW(sync_folder(folder.write("file", "x")), Error);
}

TEST(SyncFileSystem, WorksOnAFolderAndRefusesAFile) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW(sync_file_system(folder.path()));
  EXPECT_THROW(sync_file_system(folder.write("file", "x")), Error);
}

TEST(SyncFile, ReportsABadDescriptor) {
  EXPECT_THAT(error_message([] { sync_file(-1, "somewhere"); }), HasSubstr("somewhere"));
}

TEST(FolderOf, ABareNameLiesHere) {
  EXPECT_EQ(folder_of("name"), ".");
  EXPECT_EQ(folder_of("a/b"), "a");
  EXPECT_EQ(folder_of("/a"), "/");
}

}  // namespace
}  // namespace seda
