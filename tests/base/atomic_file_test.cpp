// SPDX-License-Identifier: Apache-2.0
#include "seda/base/atomic_file.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/file.h"
#include "tests/support/error_message.h"
#include "tests/support/size_limit.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/threads.h"

namespace seda {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::error_message;
using testing_support::SizeLimit;
using testing_support::start_threads;
using testing_support::TemporaryFolder;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename());
  return names;
}

mode_t mode_of(const fs::path& path) {
  struct stat status{};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

/// Without the rights of root while it lives: for root nothing is read-only.
class OrdinaryUser {
 public:
  OrdinaryUser() : old_(geteuid()) {
    constexpr uid_t kNobody = 65534;
    if (old_ == 0 && seteuid(kNobody) != 0) ADD_FAILURE() << "cannot give up root";
  }
  ~OrdinaryUser() {
    if (old_ == 0 && seteuid(0) != 0) ADD_FAILURE() << "cannot be root again";
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  uid_t old_;
};

TEST(WriteFile, MakesAndReplaces) {
  const TemporaryFolder folder;
  write_file(folder / "a", "first");
  EXPECT_EQ(read_file(folder / "a"), "first");
  write_file(folder / "a", "second, longer");
  EXPECT_EQ(read_file(folder / "a"), "second, longer");
  write_file(folder / "a", "");
  EXPECT_EQ(read_file(folder / "a"), "");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a"));
}

TEST(WriteFile, WorksOnABareName) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_file("bare", "x");
  fs::current_path(before);
  EXPECT_EQ(read_file(folder / "bare"), "x");
}

TEST(WriteFile, KeepsPermissionsOfWhatItReplaces) {
  const TemporaryFolder folder;
  const auto path = folder.write("secret", "old");
  for (const mode_t mode : {0600, 0640, 0755}) {
    chmod(path.c_str(), mode);
    write_file(path, "new");
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST(WriteFile, ANewFileFollowsTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file(folder / "new", "x");
  umask(before);
  EXPECT_EQ(mode_of(folder / "new"), 0640u);
}

TEST(WriteFile, ReplacesTheTargetOfALinkAndNotTheLink) {
  const TemporaryFolder folder;
  const auto target = folder.write("real/target", "old");
  fs::create_symlink("real/target", folder / "second");
  fs::create_symlink("second", folder / "first");
  write_file(folder / "first", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "first"));
  EXPECT_TRUE(fs::is_symlink(folder / "second"));
  EXPECT_EQ(read_file(target), "new");
  EXPECT_THAT(names_in(folder / "real"), ElementsAre("target"));
}

TEST(WriteFile, MakesTheMissingTargetOfALink) {
  const TemporaryFolder folder;
  fs::create_symlink("later", folder / "link");
  write_file(folder / "link", "x");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "later"), "x");
}

TEST(WriteFile, ALinkToItselfIsRefused) {
  const TemporaryFolder folder;
  fs::create_symlink("loop", folder / "loop");
  EXPECT_THAT(error_message([&] { write_file(folder / "loop", "x"); }), HasSubstr("loop"));
  EXPECT_THAT(names_in(folder.path()), ElementsAre("loop"));
}

TEST(WriteFile, AMissingFolderIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { write_file(folder / "no/such", "x"); }),
              testing::AllOf(HasSubstr("no/such"), HasSubstr("No such file")));
}

TEST(WriteFile, AFileInPlaceOfAFolderIsNamed) {
  const TemporaryFolder folder;
  folder.write("file", "x");
  EXPECT_THAT(error_message([&] { write_file(folder / "file/below", "x"); }),
              HasSubstr("Not a directory"));
}

TEST(WriteFile, AFolderInPlaceOfAFileIsRefused) {
  const TemporaryFolder folder;
  create_folders(folder / "taken");
  EXPECT_THAT(error_message([&] { write_file(folder / "taken", "x"); }),
              HasSubstr("Is a directory"));
  EXPECT_THAT(names_in(folder.path()), ElementsAre("taken"));
}

TEST(WriteFile, AFolderThatTakesNoFilesIsNamed) {
  EXPECT_THAT(error_message([] { write_file("/proc/new", "x"); }), HasSubstr("/proc/new"));
}

TEST(WriteFile, AReadOnlyFolderIsRefused) {
  const TemporaryFolder folder;
  chmod(folder.path().c_str(), 0555);
  const OrdinaryUser user;
  EXPECT_THAT(error_message([&] { write_file(folder / "a", "x"); }),
              testing::AllOf(HasSubstr("/a"), HasSubstr("Permission denied")));
}

TEST(WriteFile, ADeviceIsWrittenInPlace) {
  EXPECT_NO_THROW(write_file("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null")) << "it must not be replaced by a file";
  EXPECT_THAT(error_message([] { write_file("/dev/full", "x"); }),
              testing::AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST(WriteFile, AFailedWriteLeavesTheOldContentAndNoTemporary) {
  const TemporaryFolder folder;
  const auto path = folder.write("data", "old");
  {
    const SizeLimit limit(1000);
    EXPECT_THAT(error_message([&] { write_file(path, std::string(5000, 'x')); }),
                testing::AllOf(HasSubstr("data"), HasSubstr("too large")));
  }
  EXPECT_EQ(read_file(path), "old");
  EXPECT_THAT(names_in(folder.path()), ElementsAre("data"));
}

TEST(AtomicFile, NothingChangesBeforeCommit) {
  const TemporaryFolder folder;
  const auto path = folder.write("data", "old");
  AtomicFile file(path);
  file.append(std::string(1'000'000, 'n'));
  file.append("end");
  EXPECT_EQ(read_file(path), "old");
  file.commit();
  EXPECT_EQ(read_file(path), std::string(1'000'000, 'n') + "end");
}

TEST(AtomicFile, WithoutCommitItLeavesNothing) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "data");
    file.append("x");
    EXPECT_EQ(names_in(folder.path()).size(), 1u) << "the temporary lies in the same folder";
  }
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(AtomicFile, AFailedRenameLeavesNoTemporary) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "data");
    create_folders(folder / "data/in the way");
    EXPECT_THAT(error_message([&] { file.commit(); }), HasSubstr("cannot replace"));
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("data"));
}

TEST(AtomicFile, SeveralWritersOfOneFileDoNotMix) {
  const TemporaryFolder folder;
  const auto path = folder / "data";
  write_file(path, std::string(50'000, 'a'));
  {
    const auto writers = start_threads(3, [&path](size_t index) {
      for (int i = 0; i < 20; ++i)
        write_file(path, std::string(50'000, "abc"[index]));
    });
    for (int i = 0; i < 50; ++i) {
      const std::string content = read_file(path);
      ASSERT_EQ(content, std::string(50'000, content[0]));
    }
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("data"));
}

TEST(AtomicFile, LeftoversOfADeadProcessAreNotInTheWay) {
  const TemporaryFolder folder;
  // As another process with this number would have left them.
  for (int i = 0; i < 500; ++i)
    folder.write(".seda-" + std::to_string(getpid()) + "-" + std::to_string(i) + ".tmp", "left");
  write_file(folder / "data", "x");
  EXPECT_EQ(read_file(folder / "data"), "x");
}

}  // namespace
}  // namespace seda
