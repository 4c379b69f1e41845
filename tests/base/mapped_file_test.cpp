// SPDX-License-Identifier: Apache-2.0
#include "seda/base/mapped_file.h"

#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "seda/base/file.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda {
namespace {

using testing::HasSubstr;
using testing_support::error_message;
using testing_support::TemporaryFolder;

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.size()};
}

TEST(MappedFile, ShowsTheContent) {
  const TemporaryFolder folder;
  const std::string content(10'000, 'm');
  const MappedFile file(folder.write("data", content));
  EXPECT_EQ(text_of(file), content);
}

TEST(MappedFile, AnEmptyFileIsEmpty) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("empty", ""));
  EXPECT_EQ(file.size(), 0u);
  EXPECT_NO_THROW(file.advise(Access::soon));
}

TEST(MappedFile, OutlivesTheReplacementOfItsFile) {
  const TemporaryFolder folder;
  const auto path = folder.write("data", "old content");
  const MappedFile file(path);
  write_file(path, "new");
  EXPECT_EQ(text_of(file), "old content");
}

TEST(MappedFile, MovesWithItsContent) {
  const TemporaryFolder folder;
  MappedFile first(folder.write("a", "aaa"));
  MappedFile second(std::move(first));
  EXPECT_EQ(text_of(second), "aaa");
  second = MappedFile(folder.write("b", "bb"));
  EXPECT_EQ(text_of(second), "bb");
}

TEST(MappedFile, AdviceChangesNothingThatIsRead) {
  const TemporaryFolder folder;
  const std::string content(100'000, 'a');
  const MappedFile file(folder.write("data", content));
  for (const Access access : {Access::normal, Access::sequential, Access::random, Access::soon}) {
    file.advise(access);
    file.advise(access, 5000, 10);
    file.advise(access, 99'999, 1'000'000);
    file.advise(access, 200'000, 1);
  }
  EXPECT_EQ(text_of(file), content);
}

TEST(MappedFile, WhatCannotBeMappedIsNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_message([&] { MappedFile(folder / "absent"); }),
              testing::AllOf(HasSubstr("absent"), HasSubstr("No such file")));
  EXPECT_THAT(error_message([&] { const MappedFile file(folder.path()); }),
              HasSubstr("found a folder"));
  const auto pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(error_message([&] { const MappedFile file(pipe); }), HasSubstr("found a pipe"));
}

}  // namespace
}  // namespace seda
