// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/live_screen.h"

#include <gtest/gtest.h>

namespace seda::cli {
namespace {

TEST(LiveScreen, NothingShownNeedsNoErasing) {
  EXPECT_EQ(erase_lines({}, 80), "");
}

TEST(LiveScreen, GoesUpOverEveryLineAndErasesBelow) {
  EXPECT_EQ(erase_lines({80, 1, 0}, 80), "\r\x1b[3A\x1b[J");
}

TEST(LiveScreen, LinesThatANarrowerTerminalHasBrokenCountAsMany) {
  EXPECT_EQ(erase_lines({80, 80, 10}, 40), "\r\x1b[5A\x1b[J");
  EXPECT_EQ(erase_lines({81}, 40), "\r\x1b[3A\x1b[J");
}

}  // namespace
}  // namespace seda::cli
