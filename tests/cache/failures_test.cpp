// SPDX-License-Identifier: Apache-2.0
// Every system call that changes the folder fails in turn, or is the last before the process dies.
#include <atomic>
#include <cerrno>
#include <functional>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/cache/clear.h"
#include "seda/cache/collect.h"
#include "seda/cache/verify.h"
#include "tests/cache/support.h"

namespace {

constexpr int kDie = -1;

std::atomic<int> calls_left{-1};  // negative: nothing is planned
std::atomic<int> planned_code{0};

/// Whether this call is the one that fails; errno is set then.
bool fails_now() {
  if (calls_left < 0 || calls_left-- > 0) return false;
  if (planned_code == kDie) _exit(9);
  errno = planned_code;
  return true;
}

long raw(long result) {
  return result;
}

}  // namespace

// These take the place of the C library's for the whole program.
extern "C" {

ssize_t write(int file, const void* data, size_t size) {
  return fails_now() ? -1 : raw(syscall(SYS_write, file, data, size));
}

int fsync(int file) {
  return fails_now() ? -1 : static_cast<int>(syscall(SYS_fsync, file));
}

int rename(const char* from, const char* to) noexcept {
  return fails_now() ? -1
                     : static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char* path) noexcept {
  return fails_now() ? -1 : static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}
}

namespace seda::cache {
namespace {

using namespace testing_support;
using testing::IsEmpty;

/// Something that is done to a cache, and the contents of its table "audio" before and after.
struct Operation {
  const char* name;
  std::function<void(Writer&)> run;
  Oracle after;
};

Oracle records_before() {
  Oracle records;
  for (uint64_t i = 0; i < 6; ++i)
    records[key_of(i)] = content_of(i, 50);
  return records;
}

void prepare(const std::filesystem::path& folder) {
  Writer writer(folder, quiet_writer());
  for (const auto& [key, text] : records_before()) {
    append_text(writer.table("audio", kDescription), key, text);
    writer.seal();
  }
}

std::vector<Operation> operations() {
  Oracle sealed = records_before();
  sealed[key_of(0)] = "newer";
  sealed[key_of(50)] = content_of(50, 2'000'000);
  Oracle kept = records_before();
  std::erase_if(kept, [](const auto& item) { return item.first.low % 2 == 0; });
  const auto seal = [](Writer& writer) {
    append_text(writer.table("audio", kDescription), key_of(0), "newer");
    append_text(writer.table("audio", kDescription), key_of(50), content_of(50, 2'000'000));
    append_text(writer.table("text", kDescription), key_of(50), "words");
    writer.seal();
  };
  const auto replace = [](Writer& writer) {
    const std::vector<NewRecord> records = {{key_of(9), {bytes_of("nine"), {}, {}}}};
    writer.replace("audio", kDescription, records);
  };
  const auto gather = [](Writer& writer) {
    collect(writer, {.table = {}, .record = [](const std::string&, const Hash128&, const Key& key) {
                       return key.low % 2 != 0;
                     }});
  };
  return {{"seal", seal, sealed},
          {"replace", replace, {{key_of(9), "nine"}}},
          {"collect", gather, kept}};
}

/// The folder opens, holds the old or the new and nothing else, and is clean after the next writer.
void expect_old_or_new(const std::filesystem::path& folder, const Operation& operation, int call) {
  const Oracle found = contents(folder);
  EXPECT_TRUE(found == records_before() || found == operation.after)
      << operation.name << ", call " << call;
  EXPECT_THAT(verify(folder)->bad, IsEmpty());
  {
    const Writer next(folder);
    EXPECT_THAT(next.recovery().dropped, IsEmpty());
  }
  EXPECT_THAT(verify(folder)->unnamed, IsEmpty());
  EXPECT_EQ(contents(folder), found);
}

/// Whether the operation came to its end although call number `call` was to fail.
bool run_with_failure(const std::filesystem::path& folder, const Operation& operation, int call,
                      int code) {
  Writer writer(folder, quiet_writer());
  planned_code = code;
  calls_left = call;
  bool threw = false;
  try {
    operation.run(writer);
  } catch (const Error& error) {
    threw = true;
    calls_left = -1;
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
  const bool failed = calls_left < 0;
  calls_left = -1;
  if (threw) {
    operation.run(writer);  // the writer goes on once there is space
    EXPECT_EQ(contents(folder), operation.after);
  }
  return !failed;
}

TEST(Failures, EachCallThatFailsLeavesTheOldOrTheNew) {
  for (const Operation& operation : operations()) {
    for (int call = 0; call < 200; ++call) {
      const TemporaryFolder folder;
      prepare(folder.path());
      if (run_with_failure(folder.path(), operation, call, call % 2 == 0 ? ENOSPC : EIO)) {
        EXPECT_GT(call, 5) << operation.name;
        EXPECT_EQ(contents(folder.path()), operation.after);
        break;
      }
      expect_old_or_new(folder.path(), operation, call);
    }
  }
}

/// Runs `body` in a child that dies at call number `call`; false where it came to its end.
bool dies_at(int call, const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    planned_code = kDie;
    calls_left = call;
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) throw std::runtime_error("the child crashed");
  return WEXITSTATUS(status) == 9;
}

TEST(Failures, DyingAtAnyCallLeavesTheOldOrTheNew) {
  for (const Operation& operation : operations()) {
    for (int call = 0; call < 200; ++call) {
      const TemporaryFolder folder;
      prepare(folder.path());
      const bool died = dies_at(call, [&] {
        Writer writer(folder.path(), quiet_writer());
        operation.run(writer);
      });
      expect_old_or_new(folder.path(), operation, call);
      if (!died) break;
    }
  }
}

TEST(Failures, DyingWhileACacheIsMadeLeavesNoneOrAnEmptyOne) {
  for (int call = 0; call < 50; ++call) {
    const TemporaryFolder folder;
    const bool died = dies_at(call, [&] { const Writer writer(folder.path()); });
    const auto cache = Cache::open(folder.path());
    EXPECT_TRUE(!cache || cache->tables().empty());
    const Writer writer(folder.path());
    if (!died) return;
  }
  FAIL() << "it never came to its end";
}

TEST(Failures, DyingWhileACacheIsClearedLeavesTheOldOrNothing) {
  for (int call = 0; call < 50; ++call) {
    const TemporaryFolder folder;
    prepare(folder.path());
    const bool died = dies_at(call, [&] { clear(folder.path()); });
    const auto cache = Cache::open(folder.path());
    if (cache && !cache->tables().empty()) {
      EXPECT_EQ(contents(folder.path()), records_before());
    }
    if (!died) {
      EXPECT_FALSE(cache.has_value());
      return;
    }
    const Writer writer(folder.path());
  }
  FAIL() << "it never came to its end";
}

}  // namespace
}  // namespace seda::cache
