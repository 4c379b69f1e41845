// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"
#include "tests/support/run_program.h"

namespace seda::diagnose {
namespace {

using testing::HasSubstr;
using testing_support::read_file;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

const std::vector<ArchiveEntry> kEntries = {
    {"seda/a.txt", "hello\n"}, {"seda/empty", ""}, {"seda/b.bin", std::string(1000, '\xff')}};

TEST(Archive, IsReadByTar) {
  const TemporaryFolder folder;
  folder.write("x.tar.gz", gzip_of(tar_of(kEntries)));
  const auto listed = run_shell("tar -xzf x.tar.gz && tar -tzf x.tar.gz", folder.path());
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out, "seda/a.txt\nseda/empty\nseda/b.bin\n");
  for (const ArchiveEntry& entry : kEntries)
    EXPECT_EQ(read_file(folder / entry.name), entry.content) << entry.name;
}

TEST(Archive, IsTheSameForTheSameEntries) {
  EXPECT_EQ(tar_of(kEntries), tar_of(kEntries));
  EXPECT_EQ(tar_of(kEntries).size() % 512, 0u);
}

TEST(Archive, RefusesANameThatDoesNotFit) {
  const std::vector<ArchiveEntry> entries = {{std::string(101, 'n'), ""}};
  EXPECT_THAT(testing_support::error_message([&] { tar_of(entries); }), HasSubstr("101 bytes"));
}

}  // namespace
}  // namespace seda::diagnose
