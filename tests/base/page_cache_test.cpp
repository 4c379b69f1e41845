// SPDX-License-Identifier: Apache-2.0
#include "seda/base/page_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include "seda/base/file.h"
#include "seda/base/mapped_file.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

bool lives_in_memory(const std::filesystem::path& folder) {
  struct statfs system{};
  return statfs(folder.c_str(), &system) == 0 &&
         (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

TEST(PageCache, DroppedPagesAreGoneUntilRead) {
  const TemporaryFolder folder;
  if (lives_in_memory(folder.path())) GTEST_SKIP() << "these files have no other place";
  const std::string content(4 << 20, 'p');
  const auto path = folder.write("data", content);
  drop_page_cache(path);
  EXPECT_LT(resident_share(path), 0.1);
  EXPECT_EQ(read_file(path), content);
  EXPECT_EQ(resident_share(path), 1);
}

TEST(PageCache, PartOfAFileIsAShare) {
  const TemporaryFolder folder;
  if (lives_in_memory(folder.path())) GTEST_SKIP() << "these files have no other place";
  const auto path = folder.write("data", std::string(16 << 20, 'p'));
  drop_page_cache(path);
  {
    const MappedFile file(path);
    file.advise(Access::random);
    EXPECT_EQ(file.bytes()[8 << 20], std::byte{'p'});
  }
  EXPECT_GT(resident_share(path), 0);
  EXPECT_LT(resident_share(path), 0.9);
}

TEST(PageCache, AnEmptyFileHasNoPages) {
  const TemporaryFolder folder;
  const auto path = folder.write("empty", "");
  EXPECT_NO_THROW(drop_page_cache(path));
  EXPECT_EQ(resident_share(path), 0);
}

TEST(PageCache, AMissingFileIsNamed) {
  EXPECT_THAT(error_message([] { drop_page_cache("absent"); }), HasSubstr("absent"));
  EXPECT_THAT(error_message([] { resident_share("absent"); }), HasSubstr("absent"));
}

}  // namespace
}  // namespace seda
