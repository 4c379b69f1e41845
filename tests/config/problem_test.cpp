// SPDX-License-Identifier: Apache-2.0
#include "seda/config/problem.h"

#include <gtest/gtest.h>

#include "tests/config/support.h"

namespace seda::config {
namespace {

Problem at(int line, std::string evidence) {
  return {.code = "code",
          .key = "key",
          .place = {.file = "f", .line = line, .column = 1},
          .evidence = std::move(evidence),
          .cure = ""};
}

TEST(Problem, TextHasPlaceEvidenceAndCure) {
  EXPECT_EQ((Problem{"c", "k", {"f.yaml", 2, 3}, "bad", "mend it"}.text()),
            "f.yaml:2:3: bad; mend it");
  EXPECT_EQ((Problem{"c", "k", {}, "bad", ""}.text()), "bad");
  EXPECT_EQ((Place{"f.yaml", 0, 0}.text()), "f.yaml");
}

TEST(ProblemList, KeepsTheOrderOfTheFile) {
  ProblemList list;
  list.add(at(3, "c"));
  list.add(at(1, "a"));
  list.add(at(3, "d"));
  EXPECT_EQ(list.text(), "f:1:1: a\nf:3:1: c\nf:3:1: d");
  EXPECT_EQ(message_of([&] { list.raise(); }), list.text());
  EXPECT_NO_THROW(ProblemList().raise());
}

TEST(Shown, IsShortAndPrintable) {
  EXPECT_EQ(shown("plain"), "plain");
  EXPECT_EQ(shown("a\nb\x01"), "a\\nb\\x01");
  EXPECT_EQ(shown(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(shown("x" + std::string(60, '\xd8')).size(), 63u);
  std::string persian;
  for (int i = 0; i < 31; ++i)
    persian += "ص";
  EXPECT_EQ(shown("x" + persian), "x" + persian.substr(0, 58) + "...") << "no character is cut";
}

}  // namespace
}  // namespace seda::config
