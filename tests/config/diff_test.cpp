// SPDX-License-Identifier: Apache-2.0
#include "seda/config/diff.h"

#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace seda::config {
namespace {

TEST(Diff, NothingChanged) {
  EXPECT_EQ(diff("a\nb\n", "a\nb\n", "f"), "");
  EXPECT_EQ(diff("", "", "f"), "");
}

TEST(Diff, OneChangedLineWithContext) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "seda.yaml"),
            "--- seda.yaml\n+++ seda.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(Diff, FarChangesAreApart) {
  EXPECT_EQ(diff("a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n", "f", 1),
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n+A\n 1\n@@ -4,2 +4,2 @@\n 3\n-b\n+B\n");
}

TEST(Diff, AddedAndRemoved) {
  EXPECT_EQ(diff("", "a\n", "f"), "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(diff("a\n", "", "f"), "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n");
  EXPECT_EQ(diff("a\nc\n", "a\nb\nc\n", "f", 0), "--- f\n+++ f\n@@ -1,0 +2,1 @@\n+b\n");
}

TEST(Diff, MissingLineFeedIsRemarked) {
  EXPECT_EQ(diff("a", "a\n", "f"),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

/// Applies a diff by its marks alone, as `patch` does.
std::string patch(const std::string& before, const std::string& difference) {
  std::istringstream old_text(before);
  std::istringstream marks(difference);
  std::string out;
  std::string line;
  size_t at = 0;
  for (std::string mark; std::getline(marks, mark);) {
    if (mark.starts_with("@@")) {
      const size_t count = std::stoul(mark.substr(mark.find(',') + 1));
      const size_t first = std::stoul(mark.substr(4)) - (count == 0 ? 0 : 1);
      for (; at < first && std::getline(old_text, line); ++at)
        out += line + "\n";
    } else if (mark.starts_with("+") && !mark.starts_with("+++")) {
      out += mark.substr(1) + "\n";
    } else if ((mark.starts_with("-") && !mark.starts_with("---")) || mark.starts_with(" ")) {
      std::getline(old_text, line);
      ++at;
      EXPECT_EQ(line, mark.substr(1));
      if (mark.starts_with(" ")) out += line + "\n";
    }
  }
  while (std::getline(old_text, line))
    out += line + "\n";
  return out;
}

TEST(Diff, AppliesToGiveTheOtherText) {
  std::mt19937 random(7);
  const auto text = [&](size_t lines) {
    std::string out;
    for (size_t i = 0; i < lines; ++i)
      out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    return out;
  };
  for (int round = 0; round < 500; ++round) {
    const std::string before = text(random() % 30);
    const std::string after = text(random() % 30);
    EXPECT_EQ(patch(before, diff(before, after, "f", random() % 4)), after);
  }
}

TEST(Diff, VeryDifferentTextsAreReplacedWhole) {
  std::string before;
  std::string after;
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(patch(before, diff(before, after, "f")), after);
}

}  // namespace
}  // namespace seda::config
