// SPDX-License-Identifier: Apache-2.0
#include "seda/report/bar_chart.h"

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

const BarChartOptions kOptions{.title = "Stages", .parts = {"busy", "waits"}};

TEST(BarChart, PartsFollowEachOther) {
  const std::string page = draw_bars(kOptions, std::vector<StackedBar>{{"read", {0.5, 0.25}, ""}});
  EXPECT_THAT(page, AllOf(HasSubstr("x=\"78.0\" y=\"4.0\" width=\"176.0\""),
                          HasSubstr("x=\"254.0\" y=\"4.0\" width=\"88.0\"")));
  EXPECT_THAT(page, HasSubstr("<title>read: busy 50.0 %</title>"));
}

TEST(BarChart, SharesAboveOneDoNotLeaveTheField) {
  const std::string page = draw_bars(kOptions, std::vector<StackedBar>{{"read", {0.8, 0.7}, ""}});
  EXPECT_THAT(page, HasSubstr("width=\"70.4\"")) << "the second has the fifth that is left";
  EXPECT_THAT(page, HasSubstr("waits 70.0 %")) << "and says what it is";
}

TEST(BarChart, WithoutABarItSaysSo) {
  EXPECT_THAT(draw_bars(kOptions, {}),
              AllOf(HasSubstr("nothing was measured"), Not(HasSubstr("svg"))));
}

TEST(BarChart, NamesAreEscaped) {
  const std::string page = draw_bars({.title = "<b>", .parts = {"\"a\"", "&"}},
                                     std::vector<StackedBar>{{"</svg>", {0.5, 0.1}, "<note>"}});
  EXPECT_THAT(markup_problem(page), IsEmpty());
}

}  // namespace
}  // namespace seda::report
