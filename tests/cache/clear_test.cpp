// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/clear.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "tests/cache/support.h"
#include "tests/support/error_message.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::error_message;
using testing::HasSubstr;
namespace fs = std::filesystem;

TEST(Clear, RemovesTheCacheAndItsFolder) {
  const TemporaryFolder folder;
  write_cache(folder / "cache", 5);
  const auto report = clear(folder / "cache");
  EXPECT_EQ(report.files, 3U);
  EXPECT_GT(report.bytes, 500U);
  EXPECT_TRUE(report.folder_removed);
  EXPECT_FALSE(fs::exists(folder / "cache"));
}

TEST(Clear, LeavesEverythingElse) {
  const TemporaryFolder folder;
  write_cache(folder.path(), 5);
  const std::vector<std::string> mine = {
      "notes.txt", "x.part",        ".hidden",
      "MANIFEST",  "LOCK.txt",      "song.part.tmp",
      "a/b.part",  ".seda-1-2.tmp", "audio-12345678-0123456789abcde.part"};
  for (const std::string& name : mine)
    folder.write(name, "mine");
  fs::create_directory(folder / "audio-12345678-0123456789abcdef.part");
  EXPECT_FALSE(clear(folder.path()).folder_removed);
  for (const std::string& name : mine)
    EXPECT_EQ(read_file(folder / name), "mine") << name;
  EXPECT_TRUE(fs::is_directory(folder / "audio-12345678-0123456789abcdef.part"));
  EXPECT_FALSE(fs::exists(folder / "MANIFEST.json"));
  EXPECT_FALSE(fs::exists(folder / "LOCK"));
  EXPECT_FALSE(Cache::open(folder.path()).has_value());
}

TEST(Clear, RefusesAFolderThatIsNoCache) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { clear(folder.path()); }), HasSubstr("holds no cache"));
  EXPECT_THAT(error_message([&] { clear(folder / "missing"); }), HasSubstr("holds no cache"));
  EXPECT_FALSE(fs::exists(folder / "missing"));
  folder.write("MANIFEST.json", R"({"name": "somebody's web site"})");
  EXPECT_THAT(error_message([&] { clear(folder.path()); }), HasSubstr("nothing was removed"));
  EXPECT_TRUE(fs::exists(folder / "MANIFEST.json"));
}

TEST(Clear, RemovesADamagedCache) {
  const TemporaryFolder folder;
  write_cache(folder / "cache", 5);
  write_bytes(folder / "cache/MANIFEST.json", "{\n  \"seda_cache\": 1, and then rubbish");
  EXPECT_TRUE(clear(folder / "cache").folder_removed);
  write_cache(folder / "cache", 5);
  fs::remove(folder / "cache/MANIFEST.json");
  EXPECT_TRUE(clear(folder / "cache").folder_removed);
}

TEST(Clear, RefusesWhileAWriterIsAtWork) {
  const TemporaryFolder folder;
  const Writer writer(folder.path());
  try {
    clear(folder.path());
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
  }
}

TEST(Clear, DoesNotDisturbReaders) {
  const TemporaryFolder folder;
  const Oracle oracle = write_cache(folder / "cache", 5);
  const auto cache = Cache::open(folder / "cache");
  clear(folder / "cache");
  EXPECT_EQ(contents(table_of(*cache)), oracle);
}

}  // namespace
}  // namespace seda::cache
