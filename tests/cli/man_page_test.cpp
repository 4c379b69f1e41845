// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/man_page.h"

#include <set>
#include <sstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/cli/app.h"
#include "seda/cli/option_words.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

std::string page() {
  return man_page(*make_app(), "1.2.3");
}

std::string in_roff(const std::string& flag) {
  return "\\fB" + CLI::detail::find_and_replace(flag, "-", "\\-") + "\\fR";
}

TEST(ManPage, NamesEveryVerbAndEveryFlag) {
  const auto app = make_app();
  const std::string text = page();
  visit_verbs(*app, [&](const CLI::App& verb, const std::string& path) {
    if (!path.empty()) {
      EXPECT_THAT(text, HasSubstr(".SS seda" + CLI::detail::find_and_replace(path, "/", " ")));
    }
    for (const CLI::Option* option : verb.get_options()) {
      if (option->get_group().empty()) continue;
      for (const std::string& flag : flag_names(*option))
        EXPECT_THAT(text, HasSubstr(in_roff(flag))) << path;
    }
  });
}

TEST(ManPage, HasOnlyRequestsThatManKnowsAndEndsWhatItBegins) {
  const std::set<std::string> known = {".TH", ".SH", ".SS", ".PP", ".TP",
                                       ".br", ".nf", ".fi", ".RS", ".RE"};
  std::istringstream lines(page());
  int copied = 0;
  int indented = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(line.starts_with('\'')) << line;
    if (!line.starts_with('.')) continue;
    EXPECT_TRUE(known.contains(line.substr(0, 3))) << line;
    copied += line == ".nf" ? 1 : line == ".fi" ? -1 : 0;
    indented += line == ".RS" ? 1 : line == ".RE" ? -1 : 0;
    EXPECT_GE(copied, 0);
  }
  EXPECT_EQ(copied, 0);
  EXPECT_EQ(indented, 0);
}

TEST(ManPage, BeginsAsManPagesDo) {
  EXPECT_THAT(page(), testing::StartsWith(".TH SEDA 1 \"\" \"seda 1.2.3\""));
  EXPECT_THAT(page(),
              HasSubstr("\n.SH NAME\nseda \\- training text\\-to\\-speech models so that the GPU "
                        "never waits\n.SH SYNOPSIS\n"));
}

TEST(ManPage, IsFormattedWithoutAWarning) {
  const TemporaryFolder folder;
  if (run_shell("command -v groff", folder.path()).exit_code != 0) GTEST_SKIP() << "no groff here";
  folder.write("seda.1", page());
  const auto result =
      run_shell("groff -man -Kutf8 -Tutf8 -ww -z seda.1 && groff -man -Kutf8 -Tutf8 -P-cbou seda.1",
                folder.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out, HasSubstr("seda train [OPTIONS] [DIR]"));
  EXPECT_THAT(result.out, HasSubstr("--batch-size VALUE"));
}

}  // namespace
}  // namespace seda::cli
