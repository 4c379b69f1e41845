// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/file_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace seda::cache::detail {
namespace {

using seda::testing_support::TemporaryFolder;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Hash128 kFingerprint{0x1a2b3c4d5e6f7081, 2};

TEST(PartFileName, ComesBackFromItsText) {
  const std::string file = part_file_name("my_table2", kFingerprint, 0xabc);
  EXPECT_EQ(file, "my_table2-1a2b3c4d-0000000000000abc.part");
  const auto name = parse_part_file_name(file);
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->id, 0xabcU);
  EXPECT_TRUE(name->belongs_to("my_table2", kFingerprint));
  EXPECT_FALSE(name->belongs_to("other", kFingerprint));
  EXPECT_FALSE(name->belongs_to("my_table2", Hash128{}));
}

TEST(PartFileName, RefusesWhatIsNotOne) {
  for (const char* file :
       {"", ".part", "-1a2b3c4d-0000000000000abc.part", "a-1a2b3c4d-0000000000000abc.par",
        "a-1a2b3c4d-000000000000abc.part", "a-1A2b3c4d-0000000000000abc.part",
        "../a-1a2b3c4d-0000000000000abc.part", "a/b-1a2b3c4d-0000000000000abc.part",
        "A-1a2b3c4d-0000000000000abc.part", "a-1a2b3c4d_0000000000000abc.part",
        "a-1a2b3c4d-0000000000000abc.part.tmp", "a b-1a2b3c4d-0000000000000abc.part"}) {
    EXPECT_FALSE(parse_part_file_name(file).has_value()) << file;
  }
}

TEST(TableName, IsShortAndPlain) {
  EXPECT_TRUE(is_table_name("clips"));
  EXPECT_TRUE(is_table_name("a_1"));
  EXPECT_TRUE(is_table_name(std::string(32, 'a')));
  EXPECT_FALSE(is_table_name(std::string(33, 'a')));
  for (const char* name : {"", "a-b", "A", "a.b", "a/b", ".."})
    EXPECT_FALSE(is_table_name(name)) << name;
}

TEST(Listing, HoldsOwnRegularFilesAlone) {
  const TemporaryFolder folder;
  const std::string part = part_file_name("a", kFingerprint, 1);
  folder.write(part, "");
  folder.write(part + ".tmp", "");
  folder.write("MANIFEST.json.tmp", "");
  folder.write("MANIFEST.json", "");
  folder.write("mine.part", "");
  std::filesystem::create_symlink("/etc/passwd", folder / part_file_name("a", kFingerprint, 2));
  std::filesystem::create_directory(folder / part_file_name("a", kFingerprint, 3));
  EXPECT_THAT(list_parts_and_temporaries(folder.path()),
              ElementsAre("MANIFEST.json.tmp", part, part + ".tmp"));
  EXPECT_THAT(list_parts_and_temporaries(folder / "missing"), IsEmpty());
}

}  // namespace
}  // namespace seda::cache::detail
