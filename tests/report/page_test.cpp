// SPDX-License-Identifier: Apache-2.0
#include "seda/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/markup.h"

namespace seda::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::markup_problem;

TEST(Page, EveryElementIsClosed) {
  const std::string body = section("a", tiles(tile("name", "1", in_band("good", "fine")))) +
                           section("b", table({"x", "y"}, {{"1", "2"}, {"3", "4"}})) +
                           section("c", bars({{"part", "3.0 s", 0.25}}, "a note")) +
                           section("d", lines({"one", "two"})) + charts("<p>none</p>\n");
  EXPECT_THAT(markup_problem(page("title", body)), IsEmpty());
}

TEST(Page, TextIsEscapedWhereverItStands) {
  const std::string hostile = "</title><script>";
  EXPECT_THAT(markup_problem(page(hostile, section(hostile, lines({hostile})) +
                                               bars({{hostile, hostile, 0}}, hostile) +
                                               in_band("good", hostile))),
              IsEmpty());
}

TEST(Page, SectionsWithoutContentAreLeftOut) {
  EXPECT_THAT(section("Faults", lines({})), IsEmpty());
}

TEST(Page, BarsAreAsWideAsTheirShare) {
  EXPECT_THAT(bars({{"read", "1.0 s", 0.125}}),
              AllOf(HasSubstr("<td>12.5 %</td>"), HasSubstr("width: 12.50%")));
}

}  // namespace
}  // namespace seda::report
