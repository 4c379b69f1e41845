// SPDX-License-Identifier: Apache-2.0
#include "seda/report/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/markup.h"

namespace seda::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::markup_problem;

size_t count_of(const std::string& text, const std::string& piece) {
  size_t count = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++count;
  return count;
}

TEST(Timeline, SpansLieAtTheirTime) {
  const std::string page =
      draw_timeline("t", std::vector<TimelineRow>{{"consumer", {{"step", 0.5, 1.0}}}}, 1);
  EXPECT_THAT(page, HasSubstr("x=\"486.0\" y=\"4.0\" width=\"390.0\""));
  EXPECT_THAT(page, HasSubstr("<title>step 500 ms at 500 ms</title>"));
}

TEST(Timeline, ANameHasOneColourInAllRows) {
  const std::string page =
      draw_timeline("t",
                    std::vector<TimelineRow>{{"a", {{"step", 0, 0.2}, {"wait", 0.2, 0.4}}},
                                             {"b", {{"wait", 0, 0.4}}}},
                    1);
  EXPECT_EQ(count_of(page, "class=\"fill line-2\""), 2u);
  EXPECT_THAT(page, AllOf(HasSubstr("key line-1"), HasSubstr("wait")));
}

TEST(Timeline, NeighboursTooCloseToSeeAreOne) {
  TimelineRow row{"worker", {}};
  for (int i = 0; i < 10'000; ++i)
    row.spans.push_back({"read", i * 1e-4, i * 1e-4 + 9e-5});
  const std::string page = draw_timeline("t", std::vector<TimelineRow>{row}, 1);
  EXPECT_LT(page.size(), 10'000u);
}

TEST(Timeline, WhatBeganBeforeIsCutAtTheEdge) {
  const std::string page =
      draw_timeline("t", std::vector<TimelineRow>{{"a", {{"step", -5, 0.5}}}}, 1);
  EXPECT_THAT(page, HasSubstr("x=\"96.0\" y=\"4.0\" width=\"390.0\""));
}

TEST(Timeline, WithoutARowItSaysSo) {
  EXPECT_THAT(draw_timeline("t", {}, 1), HasSubstr("nothing was measured"));
  EXPECT_THAT(draw_timeline("t", std::vector<TimelineRow>{{"a", {}}}, 0),
              AllOf(HasSubstr("nothing was measured"), Not(HasSubstr("svg"))));
}

TEST(Timeline, NamesAreEscaped) {
  const std::string page = draw_timeline(
      "<t>", std::vector<TimelineRow>{{"<a>", {{"\"&", 0, 0.5}, {"</svg>", 0.5, 1}}}}, 1);
  EXPECT_THAT(markup_problem(page), IsEmpty());
}

}  // namespace
}  // namespace seda::report
