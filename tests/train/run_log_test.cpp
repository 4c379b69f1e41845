// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "seda/base/json.h"
#include "seda/base/log.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/event_file_reader.h"

namespace seda::train {
namespace {

using ::seda::testing_support::ManualClock;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What is seen of three steps of so many seconds, before there is a log point.
std::string seen_of_steps(ProgressStyle style, int64_t seconds) {
  const ::seda::testing_support::TemporaryFolder runs;
  TrainOptions options;
  options.run_folder = runs.path();
  options.tensorboard = runs.path();
  options.progress = style;
  ManualClock clock;
  testing::internal::CaptureStderr();
  RunLog log(options, 0, clock);
  for (uint64_t step = 1; step <= 3; ++step) {
    clock.advance_ns(seconds * 1'000'000'000);
    log.tick(step, 30);
  }
  std::string seen = testing::internal::GetCapturedStderr();
  log::set_status("");  // the next run's lines would be kept clear of it
  return seen;
}

TEST(RunLog, CountsStepsOnATerminalBeforeThereIsALogPoint) {
  EXPECT_THAT(seen_of_steps(ProgressStyle::terminal, 1), HasSubstr("step 3/30"));
}

TEST(RunLog, SaysALineEveryTenSecondsWhereThereIsNoTerminal) {
  EXPECT_THAT(seen_of_steps(ProgressStyle::plain, 3), IsEmpty());
  EXPECT_EQ(seen_of_steps(ProgressStyle::plain, 6), "step 2/30\n");
  EXPECT_THAT(seen_of_steps(ProgressStyle::quiet, 60), IsEmpty());
}

/// Log points each second for 25 seconds, and a tick each step.
TEST(RunLog, LinesWithFiguresKeepTheirTurnWhereLogPointsAreClose) {
  const ::seda::testing_support::TemporaryFolder runs;
  TrainOptions options;
  options.run_folder = runs.path();
  options.tensorboard = runs.path();
  options.progress = ProgressStyle::plain;
  ManualClock clock;
  testing::internal::CaptureStderr();
  RunLog log(options, 0, clock);
  for (uint64_t step = 1; step <= 250; ++step) {
    clock.advance_ns(100'000'000);
    log.tick(step, 1000);
    if (step % 10 == 0) {
      log.point({.step = step, .total = 1000, .scalars = {}, .text = fmt::format("point {}", step)},
                {{"step", step}});
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "point 10\npoint 110\npoint 210\n");
}

TEST(RunLog, OfStepsThatWereNotTimedNoSpeedIsWritten) {
  const ::seda::testing_support::TemporaryFolder runs;
  TrainOptions options;
  options.run_folder = runs.path();
  options.tensorboard = runs.path();
  options.progress = ProgressStyle::quiet;
  ManualClock clock;
  LogPoint untimed;
  untimed.step = 4;
  {
    RunLog log(options, 0, clock);
    log.point(untimed);
  }
  const Json line = parse_json(read_file(runs.path() / "log.jsonl"), "log.jsonl");
  EXPECT_EQ(line.at("step"), 4);
  EXPECT_EQ(line.at("steps_per_second"), nullptr);
  EXPECT_EQ(line.at("clips_per_second"), nullptr);
}

TEST(RunLog, WhatWasLeftOfStepsToComeIsHiddenInTensorboard) {
  for (const uint64_t done : {0, 40}) {
    const ::seda::testing_support::TemporaryFolder runs;
    TrainOptions options;
    options.run_folder = runs.path();
    options.tensorboard = runs.path();
    const ManualClock clock;
    RunLog log(options, done, clock);
    log.flush();
    const auto records = testing_support::read_records(read_file(log.events().path()));
    ASSERT_EQ(records.size(), 2u) << "the file's version, and the start of a session";
    const testing_support::Message session(records[1]);
    EXPECT_TRUE(session.has(7));
    EXPECT_EQ(session.varint(2), static_cast<int64_t>(done) + 1);
  }
}

TEST(RunLog, CountsOnWithTheFiguresOfTheLastLogPoint) {
  EXPECT_EQ(counted_on("step 40/90, loss 0.41, 3 steps/s", 57, 90),
            "step 57/90, loss 0.41, 3 steps/s");
  EXPECT_EQ(counted_on("", 3, 90), "step 3/90");
}

}  // namespace
}  // namespace seda::train
