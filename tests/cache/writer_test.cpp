// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/writer.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file_lock.h"
#include "seda/cache/verify.h"
#include "tests/cache/support.h"
#include "tests/support/error_message.h"
#include "tests/support/size_limit.h"
#include "tests/support/threads.h"

namespace seda::cache {
namespace {

using namespace testing_support;
using seda::testing_support::error_message;
using seda::testing_support::run_threads;
using seda::testing_support::SizeLimit;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

size_t files_in(const std::filesystem::path& folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(Writer, WhatIsNotSealedIsNotThere) {
  const TemporaryFolder folder;
  {
    Writer writer(folder.path(), quiet_writer());
    append_text(writer.table("audio", kDescription), key_of(1), "sealed");
    writer.seal();
    append_text(writer.table("audio", kDescription), key_of(2), "lost");
  }
  EXPECT_EQ(contents(folder.path()), (Oracle{{key_of(1), "sealed"}}));
  EXPECT_EQ(part_files(folder.path()).size(), 1U);
  EXPECT_EQ(files_in(folder.path()), 3U);  // part, manifest, lock
}

TEST(Writer, TheNewestRecordUnderAKeyWins) {
  const TemporaryFolder folder;
  {
    Writer writer(folder.path(), quiet_writer());
    const TableWriter table = writer.table("audio", kDescription);
    append_text(table, key_of(1), "first");
    append_text(table, key_of(1), "second");
    append_text(table, key_of(2), "other");
    writer.seal();
    EXPECT_EQ(table_of(*Cache::open(folder.path())).size(), 2U);
    append_text(table, key_of(1), "third");
    writer.seal();
    append_text(table, key_of(1), "fourth");
    append_text(table, key_of(3), "new");
    writer.seal();
  }
  const Oracle expected = {{key_of(1), "fourth"}, {key_of(2), "other"}, {key_of(3), "new"}};
  const auto cache = Cache::open(folder.path());
  EXPECT_EQ(contents(table_of(*cache)), expected);
  EXPECT_EQ(table_of(*cache).size(), 3U);
  EXPECT_EQ(text_of(table_of(*cache).read(key_of(1)).value().bytes), "fourth");
}

TEST(Writer, ContainsWhatWaitsAndWhatIsSealed) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const TableWriter table = writer.table("audio", kDescription);
  EXPECT_FALSE(table.contains(key_of(1)));
  append_text(table, key_of(1), "one");
  EXPECT_TRUE(table.contains(key_of(1)));
  EXPECT_FALSE(table.find(key_of(1)).has_value());
  writer.seal();
  EXPECT_TRUE(table.contains(key_of(1)));
  EXPECT_EQ(table.find(key_of(1))->size, 3U);
  EXPECT_FALSE(writer.table("text", kDescription).contains(key_of(1)));
}

TEST(Writer, APartThatIsFullIsSealedByItself) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), {.part_bytes = 10'000, .seal_seconds = 1e9});
  const TableWriter table = writer.table("audio", kDescription);
  for (uint64_t i = 0; i < 100; ++i)
    append_text(table, key_of(i), content_of(i, 1000));
  const auto cache = Cache::open(folder.path());
  EXPECT_GE(table_of(*cache).size(), 90U);
  EXPECT_GE(cache->part_count(), 9U);
}

TEST(Writer, SealsByItselfWhenRecordsHaveWaitedLongEnough) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), {.part_bytes = uint64_t{1} << 40, .seal_seconds = 0.01});
  const TableWriter table = writer.table("audio", kDescription);
  append_text(table, key_of(1), "one");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  append_text(table, key_of(2), "two");
  EXPECT_EQ(table_of(*Cache::open(folder.path())).size(), 2U);
}

TEST(Writer, SealingNothingChangesNothing) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  append_text(writer.table("audio", kDescription), key_of(1), "one");
  writer.seal();
  const std::string before = read_file(folder / "MANIFEST.json");
  writer.seal();
  EXPECT_EQ(read_file(folder / "MANIFEST.json"), before);
}

TEST(Writer, ManyThreadsAppendToManyTables) {
  const TemporaryFolder folder;
  constexpr uint64_t kEach = 500;
  {
    Writer writer(folder.path(), {.part_bytes = 100'000, .seal_seconds = 0.005});
    run_threads(4, [&](size_t thread) {
      TableWriter audio = writer.table("audio", kDescription);
      TableWriter text = writer.table("text", kDescription);
      for (uint64_t i = thread * kEach; i < (thread + 1) * kEach; ++i) {
        append_text(audio, key_of(i), content_of(i, i % 700));
        append_text(text, key_of(i), content_of(i, i % 10));
        EXPECT_TRUE(audio.contains(key_of(i)));
      }
    });
    writer.seal();
  }
  const auto cache = Cache::open(folder.path(), {.verify = true});
  EXPECT_EQ(table_of(*cache).size(), 4 * kEach);
  for (uint64_t i = 0; i < 4 * kEach; ++i) {
    EXPECT_EQ(text_of(table_of(*cache).read(key_of(i)).value().bytes), content_of(i, i % 700));
    EXPECT_EQ(text_of(table_of(*cache, "text").read(key_of(i)).value().bytes),
              content_of(i, i % 10));
  }
}

TEST(Writer, ReplaceSwapsAWholeTable) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const std::vector<NewRecord> first = {{key_of(1), {bytes_of("a"), {}, {}}},
                                        {key_of(2), {bytes_of("b"), {}, {}}}};
  writer.replace("clips", kDescription, first);
  const auto old = Cache::open(folder.path());
  append_text(writer.table("audio", kDescription), key_of(7), "sealed along");
  const std::vector<NewRecord> second = {{key_of(2), {bytes_of("c"), {}, {}}}};
  writer.replace("clips", kDescription, second);
  const auto now = Cache::open(folder.path());
  EXPECT_EQ(contents(table_of(*now, "clips")), (Oracle{{key_of(2), "c"}}));
  EXPECT_EQ(contents(table_of(*now)), (Oracle{{key_of(7), "sealed along"}}));
  EXPECT_EQ(contents(table_of(*old, "clips")), (Oracle{{key_of(1), "a"}, {key_of(2), "b"}}));
  EXPECT_EQ(part_files(folder.path()).size(), 2U);
  writer.replace("clips", kDescription, {});
  EXPECT_EQ(table_of(*Cache::open(folder.path()), "clips").size(), 0U);
}

TEST(Writer, ASecondOneIsToldWhoHoldsTheFolder) {
  const TemporaryFolder folder;
  const Writer writer(folder.path());
  try {
    const Writer second(folder.path());
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unavailable);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr(fmt::format("process {}", getpid())), HasSubstr("since 20")));
  }
  EXPECT_TRUE(Cache::open(folder.path()).has_value());
}

TEST(Writer, RefusesNamesAndShapesThatAreWrong) {
  const TemporaryFolder folder;
  Writer writer(folder.path());
  EXPECT_THAT(error_message([&] { writer.table("../etc", kDescription); }), HasSubstr("a-z"));
  EXPECT_THAT(error_message([&] { writer.table("", kDescription); }), HasSubstr("a-z"));
  EXPECT_THAT(error_message([&] { writer.table(std::string(33, 'a'), kDescription); }),
              HasSubstr("at most 32"));
  TableWriter table = writer.table("audio", kDescription);
  EXPECT_THAT(
      error_message([&] { table.append(key_of(1), {bytes_of("abc"), {2}, DataType::int16}); }),
      HasSubstr("3 bytes are not int16 of [2]"));
}

TEST(Writer, RemovesWhatAKilledOneLeft) {
  const TemporaryFolder folder;
  const Oracle oracle = write_cache(folder.path(), 5);
  const std::string part = part_files(folder.path()).front().filename().string();
  const std::string orphan = part.substr(0, part.size() - 21) + "00000000000000aa.part";
  folder.write(orphan, "sealed, but never named");
  folder.write(orphan + ".tmp", "half a part");
  folder.write("MANIFEST.json.tmp", "half a manifest");
  folder.write("notes.part", "mine");
  folder.write("notes.tmp", "mine");
  {
    const Writer writer(folder.path());
    EXPECT_THAT(writer.recovery().removed,
                ElementsAre("MANIFEST.json.tmp", orphan, orphan + ".tmp"));
    EXPECT_THAT(writer.recovery().dropped, IsEmpty());
  }
  EXPECT_EQ(contents(folder.path()), oracle);
  EXPECT_EQ(read_file(folder / "notes.part"), "mine");
  EXPECT_EQ(read_file(folder / "notes.tmp"), "mine");
}

TEST(Writer, NoLongerNamesPartsThatCannotBeUsed) {
  const TemporaryFolder folder;
  {
    Writer writer(folder.path(), quiet_writer());
    for (uint64_t i = 0; i < 3; ++i) {
      append_text(writer.table("audio", kDescription), key_of(0), content_of(i, 10));
      append_text(writer.table("audio", kDescription), key_of(i + 1), content_of(i, 10));
      writer.seal();
    }
  }
  const auto cut = std::filesystem::path(folder.path()) /
                   Json::parse(read_file(folder / "MANIFEST.json"))["tables"][0]["parts"][0]["file"]
                       .get<std::string>();
  std::filesystem::resize_file(cut, 100);
  EXPECT_THAT(error_message([&] { (void)Cache::open(folder.path()); }), HasSubstr("found 100"));
  {
    const Writer writer(folder.path());
    ASSERT_EQ(writer.recovery().dropped.size(), 1U);
    EXPECT_EQ(writer.recovery().dropped[0].file, cut.filename().string());
    EXPECT_EQ(writer.recovery().dropped[0].records, 2U);
  }
  const auto cache = Cache::open(folder.path());
  EXPECT_EQ(table_of(*cache).size(), 3U);
  EXPECT_EQ(contents(table_of(*cache)), (Oracle{{key_of(0), content_of(2, 10)},
                                                {key_of(2), content_of(1, 10)},
                                                {key_of(3), content_of(2, 10)}}));
}

TEST(Writer, SaysWhatToDoAboutAFolderItMayNotWrite) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  write_cache(folder.path(), 1);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  EXPECT_THAT(error_message([&] { const Writer writer(folder.path()); }),
              AllOf(HasSubstr(folder.path().string()), HasSubstr("Permission denied"),
                    HasSubstr("--cache-dir")));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

TEST(Writer, SaysThatTheFolderWasRemoved) {
  const TemporaryFolder folder;
  Writer writer(folder / "cache", quiet_writer());
  std::filesystem::remove_all(folder / "cache");
  EXPECT_THAT(error_message([&] {
                append_text(writer.table("audio", kDescription), key_of(1), "one");
                writer.seal();
              }),
              AllOf(HasSubstr((folder / "cache").string()), HasSubstr("No such file"),
                    HasSubstr("run this again")));
}

TEST(Writer, AFullDiskLosesOnlyWhatWasNotSealed) {
  const TemporaryFolder folder;
  Writer writer(folder.path(), quiet_writer());
  const TableWriter table = writer.table("audio", kDescription);
  append_text(table, key_of(1), content_of(1, 1000));
  writer.seal();
  {
    const SizeLimit limit(1 << 20);
    const auto message = error_message([&] {
      for (uint64_t i = 2; i < 100; ++i)
        append_text(table, key_of(i), content_of(i, 100'000));
      writer.seal();
    });
    EXPECT_THAT(message, AllOf(HasSubstr(folder.path().string()), HasSubstr("File too large"),
                               HasSubstr("more needed"), HasSubstr("free there"),
                               HasSubstr("--cache-dir"), HasSubstr("sealed before is whole")));
  }
  EXPECT_EQ(contents(folder.path()), (Oracle{{key_of(1), content_of(1, 1000)}}));
  EXPECT_EQ(files_in(folder.path()), 3U);
  append_text(table, key_of(2), "after");
  writer.seal();
  EXPECT_EQ(contents(folder.path()),
            (Oracle{{key_of(1), content_of(1, 1000)}, {key_of(2), "after"}}));
}

/// Random appends, seals and reopenings against a map.
TEST(Writer, AgreesWithAMapWhateverIsDone) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const TemporaryFolder folder;
    Random random(seed);
    Oracle sealed;
    Oracle waiting;
    auto writer = std::make_unique<Writer>(folder.path(), quiet_writer());
    for (int step = 0; step < 120; ++step) {
      const uint64_t action = random.below(20);
      if (action < 16) {
        const Key key = key_of(random.below(60));
        waiting[key] = content_of(random(), random.below(300));
        append_text(writer->table("audio", kDescription), key, waiting[key]);
        continue;
      }
      if (action < 19) {
        writer->seal();
        for (const auto& [key, text] : waiting)
          sealed[key] = text;
      } else {
        writer.reset();
        writer = std::make_unique<Writer>(folder.path(), quiet_writer());
      }
      waiting.clear();
      const auto cache = Cache::open(folder.path(), {.verify = true});
      if (sealed.empty()) continue;
      ASSERT_EQ(contents(table_of(*cache)), sealed);
      ASSERT_EQ(table_of(*cache).size(), sealed.size());
    }
    writer.reset();
    EXPECT_THAT(verify(folder.path())->bad, IsEmpty());
  }
}

}  // namespace
}  // namespace seda::cache
