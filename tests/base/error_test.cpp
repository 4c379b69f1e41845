// SPDX-License-Identifier: Apache-2.0
#include "seda/base/error.h"

#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda {
namespace {

using testing::HasSubstr;

TEST(Error, EveryKindHasItsDocumentedExitCode) {
  EXPECT_EQ(exit_code(ErrorKind::check_failed), 1);
  EXPECT_EQ(exit_code(ErrorKind::usage), 2);
  EXPECT_EQ(exit_code(ErrorKind::config), 2);
  EXPECT_EQ(exit_code(ErrorKind::io), 3);
  EXPECT_EQ(exit_code(ErrorKind::memory), 3);
  EXPECT_EQ(exit_code(ErrorKind::unavailable), 3);
  EXPECT_EQ(exit_code(ErrorKind::internal), 3);
  EXPECT_EQ(exit_code(ErrorKind::interrupted), 130);
}

TEST(Error, CarriesKindAndFormattedMessage) {
  try {
    throw_error(ErrorKind::usage, "expected {}, found {}", 1, "two");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "expected 1, found two");
  }
}

TEST(Error, ErrnoNamesActionSubjectAndReason) {
  try {
    throw_errno("cannot open", "a b.wav", ENOENT);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_THAT(error.what(), HasSubstr("cannot open a b.wav: No such file"));
  }
}

}  // namespace
}  // namespace seda
