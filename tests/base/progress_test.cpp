// SPDX-License-Identifier: Apache-2.0
#include "seda/base/progress.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/log.h"
#include "tests/support/manual_clock.h"
#include "tests/support/threads.h"

namespace seda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::ManualClock;

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1000 * kMillisecond;

class RecordingSink final : public ProgressSink {
 public:
  void set_status(std::string_view line) override { statuses.emplace_back(line); }
  void print(std::string_view line) override { lines.emplace_back(line); }

  std::vector<std::string> statuses;
  std::vector<std::string> lines;
};

ProgressOptions options_for(ProgressStyle style, uint64_t total = 1000) {
  return {.label = "prepare", .unit = "clips", .total = total, .style = style, .width = 80};
}

TEST(Progress, TerminalShowsBarShareCountRateAndTimeLeft) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal), clock, sink);
  clock.advance_ns(2 * kSecond);
  progress.advance(250);
  EXPECT_THAT(sink.statuses,
              ElementsAre("prepare [=======>                     ]  25 %  250/1000 clips  125/s"
                          "  0:06 left"));
}

TEST(Progress, TerminalWaitsASecondAndThenDrawsTenTimesASecondAtMost) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal, 10'000), clock, sink);
  for (int ms = 0; ms < 999; ++ms) {
    clock.advance_ns(kMillisecond);
    progress.advance();
  }
  EXPECT_THAT(sink.statuses, IsEmpty());
  for (int ms = 999; ms < 3000; ++ms) {
    clock.advance_ns(kMillisecond);
    progress.advance();
  }
  EXPECT_EQ(sink.statuses.size(), 21u) << "at 1.0, 1.1 … 3.0 s";
  EXPECT_THAT(sink.lines, IsEmpty());
}

TEST(Progress, TerminalLineFitsTheWidth) {
  for (const int width : {0, 1, 10, 40, 79, 200}) {
    ManualClock clock;
    RecordingSink sink;
    ProgressOptions options = options_for(ProgressStyle::terminal, 13'100);
    options.width = width;
    Progress progress(options, clock, sink);
    clock.advance_ns(kSecond);
    progress.advance(6000);
    ASSERT_EQ(sink.statuses.size(), 1u);
    EXPECT_LE(sink.statuses[0].size(), static_cast<size_t>(std::max(0, width - 1)));
    EXPECT_THAT(sink.statuses[0], Not(HasSubstr("\n")));
  }
}

TEST(Progress, ElsewhereAPlainLineEveryTenSeconds) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::plain), clock, sink);
  for (int second = 1; second <= 25; ++second) {
    clock.advance_ns(kSecond);
    progress.advance(10);
  }
  EXPECT_THAT(sink.lines, ElementsAre("prepare:  10 %  100/1000 clips  10.0/s  1:30 left",
                                      "prepare:  20 %  200/1000 clips  10.0/s  1:20 left"));
  EXPECT_THAT(sink.statuses, IsEmpty());
}

TEST(Progress, UnknownTotalShowsCountAndRate) {
  ManualClock clock;
  RecordingSink sink;
  Progress plain(options_for(ProgressStyle::plain, 0), clock, sink);
  Progress terminal(options_for(ProgressStyle::terminal, 0), clock, sink);
  clock.advance_ns(10 * kSecond);
  plain.advance(5);
  terminal.advance(5000);
  EXPECT_THAT(sink.lines, ElementsAre("prepare: 5 clips  0.50/s"));
  EXPECT_THAT(sink.statuses, ElementsAre("prepare 5000 clips  500/s"));
}

TEST(Progress, QuietShowsNothing) {
  ManualClock clock;
  RecordingSink sink;
  {
    Progress progress(options_for(ProgressStyle::quiet), clock, sink);
    clock.advance_ns(100 * kSecond);
    progress.advance(1000);
  }
  EXPECT_THAT(sink.lines, IsEmpty());
  EXPECT_THAT(sink.statuses, IsEmpty());
}

TEST(Progress, FinishingRemovesTheRedrawnLineOnce) {
  ManualClock clock;
  RecordingSink sink;
  {
    Progress progress(options_for(ProgressStyle::terminal), clock, sink);
    clock.advance_ns(kSecond);
    progress.advance();
    progress.finish();
    clock.advance_ns(kSecond);
    progress.advance();
  }
  ASSERT_EQ(sink.statuses.size(), 2u) << "nothing is drawn after the end";
  EXPECT_EQ(sink.statuses[1], "");
}

TEST(Progress, ShortWorkLeavesNoTrace) {
  ManualClock clock;
  RecordingSink sink;
  for (const ProgressStyle style : {ProgressStyle::terminal, ProgressStyle::plain}) {
    Progress progress(options_for(style), clock, sink);
    clock.advance_ns(kSecond / 2);
    progress.advance(1000);
  }
  EXPECT_THAT(sink.statuses, IsEmpty());
  EXPECT_THAT(sink.lines, IsEmpty());
}

TEST(Progress, PlainStyleClosesWithALastLine) {
  ManualClock clock;
  RecordingSink sink;
  {
    Progress progress(options_for(ProgressStyle::plain), clock, sink);
    clock.advance_ns(10 * kSecond);
    progress.advance(500);
    clock.advance_ns(5 * kSecond);
    progress.advance(500);
  }
  ASSERT_EQ(sink.lines.size(), 2u);
  EXPECT_THAT(sink.lines[1], HasSubstr("100 %  1000/1000 clips"));
}

TEST(Progress, PlainStyleSaysTheEndOnce) {
  ManualClock clock;
  RecordingSink sink;
  {
    Progress progress(options_for(ProgressStyle::plain), clock, sink);
    clock.advance_ns(10 * kSecond);
    progress.advance(1000);
    clock.advance_ns(kSecond);
  }
  EXPECT_THAT(sink.lines, ElementsAre("prepare: 100 %  1000/1000 clips  100/s  0:00 left"));
}

TEST(Progress, TimeLeftFollowsTheRecentRate) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal, 2000), clock, sink);
  progress.advance(1000);  // all found in the cache
  for (int tenth = 0; tenth < 600; ++tenth) {
    clock.advance_ns(100 * kMillisecond);
    progress.advance(tenth % 10 == 0 ? 1 : 0);
  }
  // 60 done in a minute, 940 to go; the average from the start would promise under a minute.
  EXPECT_THAT(sink.statuses.back(), HasSubstr("1060/2000"));
  EXPECT_THAT(sink.statuses.back(), testing::ContainsRegex("1[4-7]:[0-9]+ left"));
}

TEST(Progress, MoreThanTheTotalIsStillAHundredPercent) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal, 10), clock, sink);
  clock.advance_ns(kSecond);
  progress.advance(25);
  EXPECT_THAT(sink.statuses.back(), HasSubstr("100 %  25/10 clips"));
}

TEST(Progress, StandingStillHasNoTimeLeft) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal), clock, sink);
  clock.advance_ns(kSecond);
  progress.advance(0);
  ASSERT_EQ(sink.statuses.size(), 1u);
  EXPECT_THAT(sink.statuses[0], Not(HasSubstr("left")));
}

TEST(Progress, LongTimesShowHours) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal, 7325), clock, sink);
  clock.advance_ns(2 * kSecond);
  progress.advance(2);
  EXPECT_THAT(sink.statuses.back(), HasSubstr("2:02:03 left"));
}

TEST(Progress, FourThreadsAreCountedToTheLastOne) {
  ManualClock clock;
  RecordingSink sink;
  Progress progress(options_for(ProgressStyle::terminal, 40'000), clock, sink);
  testing_support::run_threads(4, [&](size_t) {
    for (int i = 0; i < 10'000; ++i) {
      clock.advance_ns(kMillisecond / 10);
      progress.advance();
    }
  });
  clock.advance_ns(kSecond);
  progress.advance(0);
  EXPECT_THAT(sink.statuses.back(), HasSubstr("40000/40000"));
}

TEST(Progress, LogLinesStandClearOfTheRedrawnLine) {
  ManualClock clock;
  LogProgressSink sink;
  testing::internal::CaptureStderr();
  {
    Progress progress(options_for(ProgressStyle::terminal, 0), clock, sink);
    clock.advance_ns(kSecond);
    progress.advance(7);
    log::info("a line");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "\r\x1b[Kprepare 7 clips  7.0/s"
            "\r\x1b[Ka line\nprepare 7 clips  7.0/s"
            "\r\x1b[K");
}

TEST(Progress, PlainLinesAreLogLines) {
  ManualClock clock;
  LogProgressSink sink;
  testing::internal::CaptureStderr();
  {
    Progress progress(options_for(ProgressStyle::plain, 0), clock, sink);
    clock.advance_ns(10 * kSecond);
    progress.advance(20);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "prepare: 20 clips  2.0/s\n");
}

TEST(ProgressStyle, QuietWinsAndAFileIsNoTerminal) {
  EXPECT_EQ(progress_style(true), ProgressStyle::quiet);
  testing::internal::CaptureStderr();
  EXPECT_EQ(progress_style(false), ProgressStyle::plain);
  EXPECT_EQ(terminal_width(), 80);
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace seda
