// SPDX-License-Identifier: Apache-2.0
#include "seda/base/file_lock.h"

#include <array>
#include <csignal>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/file.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing_support::error_message;
using testing_support::TemporaryFolder;

/// Another process that holds the lock until it is killed.
class Holder {
 public:
  explicit Holder(const std::filesystem::path& path) {
    std::array<int, 2> ready{};
    if (pipe(ready.data()) != 0) throw std::runtime_error("pipe failed");
    pid_ = fork();
    if (pid_ == 0) hold(path, ready[1]);
    close(ready[1]);
    char byte = 0;
    holds_ = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
  }
  ~Holder() { stop(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  pid_t pid() const { return pid_; }
  bool holds() const { return holds_; }
  void stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  [[noreturn]] static void hold(const std::filesystem::path& path, int ready) {
    const FileLock lock(path);
    if (write(ready, "x", 1) != 1) _exit(1);
    for (;;)
      pause();
  }

  pid_t pid_ = 0;
  bool holds_ = false;
};

/// Of a lock that nobody holds, process 0.
LockHolder holder_of(const std::filesystem::path& path) {
  return FileLock::holder(path).value_or(LockHolder{});
}

TEST(FileLock, ASecondOneInTheSameProcessIsRefused) {
  const TemporaryFolder folder;
  const FileLock lock(folder / "lock");
  EXPECT_FALSE(FileLock::try_lock(folder / "lock").has_value());
  EXPECT_TRUE(FileLock::try_lock(folder / "other").has_value());
}

TEST(FileLock, IsFreeOnceItsHolderIsGone) {
  const TemporaryFolder folder;
  {
    const FileLock lock(folder / "lock");
  }
  EXPECT_EQ(read_file(folder / "lock"), "") << "an empty file stays";
  const auto lock = FileLock::try_lock(folder / "lock");
  EXPECT_TRUE(lock.has_value());
}

TEST(FileLock, MovesWithItsOwner) {
  const TemporaryFolder folder;
  {
    auto first = std::make_unique<FileLock>(folder / "lock");
    const FileLock moved(std::move(*first));
    first.reset();
    EXPECT_FALSE(FileLock::try_lock(folder / "lock").has_value());
  }
  EXPECT_TRUE(FileLock::try_lock(folder / "lock").has_value());
}

TEST(FileLock, RecordsWhoHoldsIt) {
  const TemporaryFolder folder;
  const FileLock lock(folder / "lock");
  const LockHolder holder = holder_of(folder / "lock");
  EXPECT_EQ(holder.pid, getpid());
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  EXPECT_EQ(holder.host, host.data());
  EXPECT_THAT(holder.since, MatchesRegex("20..-..-..T..:..:..Z"));
}

TEST(FileLock, AnotherProcessIsNamed) {
  const TemporaryFolder folder;
  const Holder other(folder / "lock");
  ASSERT_TRUE(other.holds());
  EXPECT_FALSE(FileLock::try_lock(folder / "lock").has_value());
  try {
    const FileLock lock(folder / "lock");
    FAIL() << "the lock was taken twice";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(), HasSubstr("process " + std::to_string(other.pid()) + " on "));
    EXPECT_THAT(error.what(), HasSubstr("lock is locked by"));
  }
}

TEST(FileLock, AKilledProcessLeavesNoLock) {
  const TemporaryFolder folder;
  Holder other(folder / "lock");
  ASSERT_TRUE(other.holds());
  other.stop();
  EXPECT_NE(read_file(folder / "lock"), "") << "it could not clean up";
  EXPECT_FALSE(FileLock::holder(folder / "lock").has_value()) << "but nobody holds it";
  const FileLock lock(folder / "lock");
  EXPECT_EQ(holder_of(folder / "lock").pid, getpid());
}

TEST(FileLock, ADamagedRecordStillRefuses) {
  const TemporaryFolder folder;
  const FileLock lock(folder / "lock");
  for (const std::string record : {"", "{", "[1]", R"({"pid":"x","host":1})"}) {
    folder.write("lock", record);
    EXPECT_FALSE(FileLock::holder(folder / "lock").has_value());
    EXPECT_THAT(error_message([&] { FileLock(folder / "lock"); }), HasSubstr("another process"));
  }
}

TEST(FileLock, KnowsWhetherItsFileIsStillThere) {
  const TemporaryFolder folder;
  const FileLock lock(folder / "lock");
  EXPECT_TRUE(lock.is_at(folder / "lock"));
  std::filesystem::remove(folder / "lock");
  EXPECT_FALSE(lock.is_at(folder / "lock"));
  const FileLock other(folder / "lock");
  EXPECT_FALSE(lock.is_at(folder / "lock"));
}

TEST(FileLock, APathThatCannotBeOpenedIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { FileLock(folder / "no/lock"); }), HasSubstr("no/lock"));
  EXPECT_THAT(error_message([&] { const FileLock lock(folder.path()); }),
              HasSubstr("Is a directory"));
  EXPECT_FALSE(FileLock::holder(folder / "absent").has_value());
}

}  // namespace
}  // namespace seda
