// SPDX-License-Identifier: Apache-2.0
#include "seda/report/line_chart.h"

#include <cmath>
#include <limits>

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

std::string draw(const Curve& curve, ChartScale scale = ChartScale::fitted) {
  return draw_lines({.title = "Loss", .scale = scale},
                    std::vector<ChartLine>{{"training", curve, false}});
}

TEST(LineChart, PutsTheLargestValueAboveTheSmallest) {
  EXPECT_THAT(draw({{0, 1}, {100, 3}}), HasSubstr("points=\"52.0,194.0 426.0,12.0\""));
}

TEST(LineChart, AFifthOfASecondTakesTheWholeWidth) {
  EXPECT_THAT(draw({{0, 1}, {0.2, 3}}), HasSubstr("points=\"52.0,194.0 426.0,12.0\""));
}

TEST(LineChart, AWideSpanIsLogarithmic) {
  EXPECT_THAT(draw({{0, 1}, {50, 10}, {100, 100}}),
              HasSubstr("points=\"52.0,194.0 239.0,103.0 426.0,12.0\""));
  EXPECT_THAT(draw({{0, -1}, {50, 10}, {100, 100}}), Not(HasSubstr("103.0")))
      << "there is no logarithm of a value below 0";
}

TEST(LineChart, AnAxisFromZeroIsLinear) {
  EXPECT_THAT(draw({{0, 1}, {50, 50}, {100, 100}}, ChartScale::from_zero),
              HasSubstr("points=\"52.0,192.2 239.0,103.0 426.0,12.0\""));
}

TEST(LineChart, NothingButZeroReachesUpToOne) {
  EXPECT_THAT(draw({{0, 0}, {100, 0}}, ChartScale::from_zero),
              AllOf(HasSubstr(">1<"), Not(HasSubstr("e-0"))));
}

TEST(LineChart, ASharesAxisBeginsAtNone) {
  EXPECT_THAT(draw({{0, 0.5}, {100, 1}}, ChartScale::share),
              AllOf(HasSubstr(">0 %<"), HasSubstr(">100 %<")));
}

TEST(LineChart, ASingleOrConstantOrHardlyDifferentValueIsDrawn) {
  for (const double value : {0.0, 1.0, -3.0, 1e-12, 5e17}) {
    for (const Curve& curve : {Curve{{7, value}}, Curve{{1, value}, {2, value}},
                               Curve{{1, value}, {2, std::nextafter(value, 1e300)}}}) {
      const std::string page = draw(curve);
      EXPECT_THAT(page, AllOf(HasSubstr("polyline"), Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
      EXPECT_THAT(markup_problem(page), IsEmpty());
    }
  }
}

TEST(LineChart, WithoutPointsItSaysSo) {
  EXPECT_THAT(draw({}), AllOf(HasSubstr("nothing was measured"), Not(HasSubstr("svg"))));
}

TEST(LineChart, WhatCannotBeDrawnIsLeftOut) {
  const double no_number = std::numeric_limits<double>::quiet_NaN();
  const double endless = std::numeric_limits<double>::infinity();
  const Curve curve = {{0, 1}, {1e308, 2}, {-1e308, 2}, {1, no_number}, {2, -endless}, {100, 3}};
  EXPECT_EQ(draw(curve), draw({{0, 1}, {100, 3}}));
  EXPECT_THAT(draw({{1, no_number}}), HasSubstr("nothing was measured"));
}

TEST(LineChart, NamesAreEscaped) {
  const std::string page =
      draw_lines({.title = "<b>"},
                 std::vector<ChartLine>{{"\"a\"&", {{1, 1}}, true}, {"</svg>", {{1, 2}}, true}});
  EXPECT_THAT(markup_problem(page), IsEmpty());
  EXPECT_THAT(page, AllOf(HasSubstr("&lt;b&gt;"), HasSubstr("&quot;a&quot;&amp;")));
}

TEST(LineChart, ThinningKeepsMeansOfNeighbours) {
  EXPECT_EQ(thin_out({{1, 1}, {2, 3}, {3, 5}, {4, 7}, {5, 9}}, 3),
            (Curve{{1.5, 2}, {3.5, 6}, {5, 9}}));
  EXPECT_EQ(thin_out({{1, 1}, {2, 3}}, 2), (Curve{{1, 1}, {2, 3}}));
}

}  // namespace
}  // namespace seda::report
