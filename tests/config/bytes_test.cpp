// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/config/support.h"
#include "tests/support/temporary_folder.h"

namespace seda::config::detail {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::StartsWith;
using testing_support::TemporaryFolder;

std::string complaint(std::string_view bytes) {
  return message_of([&] { check_bytes(bytes, "c.yaml"); });
}

std::string read_complaint(const std::filesystem::path& file) {
  return message_of([&] { read_bytes(file); });
}

TEST(CheckBytes, AcceptsUtf8WithAndWithoutMark) {
  EXPECT_NO_THROW(check_bytes("", "c.yaml"));
  EXPECT_NO_THROW(check_bytes("name: صدا 🎤 é\r\nb: 1\t# c\n", "c.yaml"));
  EXPECT_NO_THROW(
      check_bytes("\xef\xbb\xbf"
                  "a: 1\n",
                  "c.yaml"));
}

TEST(CheckBytes, NamesUtf16) {
  EXPECT_THAT(complaint("\xff\xfe"
                        "a\0"s),
              HasSubstr("found UTF-16; save the file as UTF-8"));
  EXPECT_THAT(complaint("\xfe\xff\0a"s), HasSubstr("found UTF-16"));
  EXPECT_THAT(complaint("a\0:\0"s), StartsWith("c.yaml:1:2: expected text, found a NUL byte"));
}

TEST(CheckBytes, PlacesTheFirstBrokenByte) {
  EXPECT_EQ(complaint("a: 1\nصدا: caf\xe9\n"),
            "c.yaml:2:9: expected UTF-8, found the byte 0xe9; save the file as UTF-8");
}

TEST(CheckBytes, RefusesEveryKindOfBrokenUtf8) {
  for (const char* bytes :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xc3", "\xc3(", "\xff"}) {
    EXPECT_THAT(complaint(bytes), HasSubstr("expected UTF-8")) << ::testing::PrintToString(bytes);
  }
}

TEST(CheckBytes, RefusesControlCharacters) {
  EXPECT_THAT(complaint("a: x\x04y\n"), HasSubstr("c.yaml:1:5: found the control character 0x04"))
      << "to the parser it is the end of the file";
  EXPECT_THAT(complaint("a: \x7f"), HasSubstr("0x7f"));
  EXPECT_THAT(complaint("a: 1\rb: 2"), HasSubstr("c.yaml:1:5: found a carriage return alone"));
}

TEST(CheckBytes, RefusesTabsBeforeTheFirstWord) {
  EXPECT_EQ(complaint("data:\n\tbatch_size: 1\n"),
            "c.yaml:2:1: found a tab before the first word; YAML indents with spaces");
  EXPECT_THAT(complaint("data:\n  \t# c\n"), StartsWith("c.yaml:2:3:"));
  EXPECT_THAT(complaint("\xef\xbb\xbf\ta: 1"), StartsWith("c.yaml:1:1:"));
}

TEST(CheckBytes, RefusesMoreThanOneMebibyte) {
  EXPECT_NO_THROW(check_bytes(std::string(kLargestFile, ' '), "c.yaml"));
  EXPECT_THAT(complaint(std::string(kLargestFile + 1, ' ')), HasSubstr("at most 1 MiB"));
}

TEST(ReadBytes, ReadsAFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_bytes(folder.write("a b.yaml", "x: 1\r\n")), "x: 1\r\n");
}

TEST(ReadBytes, StopsBehindTheLimit) {
  const TemporaryFolder folder;
  const auto file = folder.write("large", std::string(kLargestFile + 100, 'x'));
  EXPECT_EQ(read_bytes(file).size(), kLargestFile + 1);
}

TEST(ReadBytes, MissingFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_complaint(folder / "none.yaml"), HasSubstr("none.yaml: expected a YAML file"));
  EXPECT_THAT(read_complaint(folder / "none.yaml"), HasSubstr("No such file"));
}

TEST(ReadBytes, Folder) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_complaint(folder.path()), HasSubstr("found a folder"));
}

TEST(ReadBytes, PipeDoesNotHang) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(read_complaint(folder / "pipe"), HasSubstr("found a pipe"));
}

TEST(ReadBytes, DeviceAndLinkToItself) {
  const TemporaryFolder folder;
  EXPECT_THAT(read_complaint("/dev/zero"), HasSubstr("found a device"));
  std::filesystem::create_symlink(folder / "loop", folder / "loop");
  EXPECT_THAT(read_complaint(folder / "loop"), HasSubstr("cannot be read"));
}

TEST(ReadBytes, UnreadableFile) {
  const TemporaryFolder folder;
  const auto file = folder.write("secret.yaml", "a: 1\n");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  constexpr uid_t kNobody = 65534;
  const uid_t self = geteuid();
  // Root reads everything.
  if (self == 0 && seteuid(kNobody) != 0) GTEST_SKIP() << "root that cannot be anyone else";
  const std::string message = read_complaint(file);
  ASSERT_EQ(seteuid(self), 0);
  EXPECT_THAT(message, HasSubstr("cannot be read: Permission denied"));
}

}  // namespace
}  // namespace seda::config::detail
