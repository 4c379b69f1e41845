// SPDX-License-Identifier: Apache-2.0
#include "seda/train/stopped_run.h"

#include <csignal>

#include <gtest/gtest.h>

#include "seda/base/error.h"

namespace seda::train {
namespace {

TEST(StoppedRun, EndsByCtrlCAsInterrupted) {
  const StoppedRun stopped{.signal = SIGINT, .updates = 12, .checkpoint = "runs/step-12"};
  EXPECT_EQ(stopped.by(), "Ctrl-C");
  try {
    stopped.end();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(StoppedRun, EndsBySigtermLikeAnyOther) {
  const StoppedRun stopped{.signal = SIGTERM, .updates = 12, .checkpoint = "runs/step-12"};
  EXPECT_EQ(stopped.by(), "SIGTERM");
  EXPECT_NO_THROW(stopped.end());
}

}  // namespace
}  // namespace seda::train
