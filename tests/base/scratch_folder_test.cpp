// SPDX-License-Identifier: Apache-2.0
#include "seda/base/scratch_folder.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace seda {
namespace {

TEST(ScratchFolder, IsEmptyAndItsOwn) {
  const ScratchFolder one;
  const ScratchFolder other;
  EXPECT_TRUE(std::filesystem::is_empty(one.path()));
  EXPECT_NE(one.path(), other.path());
}

TEST(ScratchFolder, IsGoneWithWhatIsInIt) {
  std::filesystem::path path;
  {
    const ScratchFolder folder;
    path = folder.path();
    std::filesystem::create_directories(path / "a/b");
    std::ofstream(path / "a/b/c") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, WithoutAPlaceIsAnError) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/dev/null/none", 1);
  EXPECT_THAT(
      testing_support::error_message([] { const ScratchFolder folder; }),
      testing::AllOf(testing::HasSubstr("/dev/null/none/"), testing::HasSubstr("set TMPDIR")));
  if (before == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace seda
