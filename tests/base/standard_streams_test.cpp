// SPDX-License-Identifier: Apache-2.0
#include "seda/base/standard_streams.h"

#include <initializer_list>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace seda {
namespace {

/// Closes `closed`, holds the streams, and ends with the number the next file gets.
[[noreturn]] void end_with_next_number(std::initializer_list<int> closed) {
  for (int number = 3; number < 64; ++number)
    close(number);
  for (const int number : closed)
    close(number);
  hold_standard_streams();
  _exit(open("/dev/zero", O_RDONLY));
}

TEST(StandardStreamsDeathTest, NoFileGetsTheNumberOfAClosedOne) {
  EXPECT_EXIT(end_with_next_number({}), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(end_with_next_number({1}), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(end_with_next_number({0, 2}), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(end_with_next_number({0, 1, 2}), testing::ExitedWithCode(3), "");
}

TEST(StandardStreamsDeathTest, WhatWasClosedStillTakesAndGivesNothing) {
  const auto use = [] {
    for (const int number : {0, 1, 2})
      close(number);
    hold_standard_streams();
    char byte = 'x';
    _exit(read(0, &byte, 1) < 0 && write(1, &byte, 1) < 0 && write(2, &byte, 1) < 0 ? 0 : 1);
  };
  EXPECT_EXIT(use(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace seda
