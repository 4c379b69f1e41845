// SPDX-License-Identifier: Apache-2.0
#include "seda/report/histogram.h"

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

size_t counted(const std::vector<Bin>& bins) {
  size_t sum = 0;
  for (const Bin& bin : bins)
    sum += bin.count;
  return sum;
}

TEST(Histogram, EveryValueIsInOneBin) {
  const std::vector<double> values = {20, 20.4, 21, 23.9, 24, 26.5, 27};
  const auto bins = bin_values(values, 10);
  EXPECT_EQ(counted(bins), values.size());
  EXPECT_LE(bins.size(), 10u);
  EXPECT_LE(bins.front().low, 20);
  EXPECT_GE(bins.back().high, 27);
}

TEST(Histogram, ValuesFarAboveShareALastWideBin) {
  std::vector<double> values(200, 20);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] += 0.01 * static_cast<double>(i);
  values.push_back(2000);
  const auto bins = bin_values(values, 10);
  EXPECT_EQ(bins.size(), 10u);
  EXPECT_EQ(bins.back().high, 2000);
  EXPECT_LT(bins.front().high, 21) << "the rest is still told apart";
  EXPECT_EQ(counted(bins), values.size());
}

TEST(Histogram, EqualValuesAreOneBin) {
  for (const double value : {0.0, 5.0, -3.0, 1e-9, 1e12}) {
    const auto bins = bin_values(std::vector<double>(5, value), 30);
    EXPECT_EQ(counted(bins), 5u) << value;
    const std::string page =
        draw_histogram({.title = "t", .unit = "ms", .note = ""}, std::vector<double>(5, value));
    EXPECT_THAT(page, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
  }
}

TEST(Histogram, MarksTheMedianAndTellsTheNote) {
  const std::string page =
      draw_histogram({.title = "Step times", .unit = "ms", .note = "oscillates: every 0.4 s"},
                     std::vector<double>{19, 20, 20, 20, 21, 30});
  EXPECT_THAT(page, AllOf(HasSubstr("median 20 ms"), HasSubstr("oscillates: every 0.4 s"),
                          HasSubstr("class=\"mark\"")));
  EXPECT_THAT(markup_problem(page), IsEmpty());
}

TEST(Histogram, WithoutAValueItSaysSo) {
  EXPECT_THAT(draw_histogram({.title = "<b>", .unit = "&", .note = "<"}, {}),
              AllOf(HasSubstr("nothing was measured"), HasSubstr("&lt;b&gt;")));
}

}  // namespace
}  // namespace seda::report
