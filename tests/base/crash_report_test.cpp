// SPDX-License-Identifier: Apache-2.0
#include "seda/base/crash_report.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

namespace seda {
namespace {

TEST(CrashReport, NamesTheSignalAndEndsByIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        report_crashes();
        std::abort();
      },
      testing::KilledBySignal(SIGABRT), "seda crashed \\(SIGABRT\\).*\n.*base_test");
}

TEST(CrashReport, LeavesSignalsThatAreHandled) {
  const auto before = std::signal(SIGFPE, SIG_IGN);
  report_crashes();
  EXPECT_EQ(std::signal(SIGFPE, before), SIG_IGN);
}

}  // namespace
}  // namespace seda
