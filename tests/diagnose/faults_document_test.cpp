// SPDX-License-Identifier: Apache-2.0
// docs/faults.md explains every word that a check, a finding or a verdict may use, and no other.
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/file.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/checks.h"
#include "tests/support/source_folder.h"

namespace seda::diagnose {
namespace {

using Words = std::set<std::string>;

/// The words in backquotes that head a table's row or a heading, in one section of the document.
Words words_of(const std::string& section) {
  std::istringstream document(read_file(testing_support::source_folder() / "docs/faults.md"));
  const std::regex row(R"(^(?:\| |### )`([^`]+)`)");
  Words out;
  std::string now;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("## ")) now = line.substr(3);
    std::smatch found;
    if (now == section && std::regex_search(line, found, row)) out.insert(found[1]);
  }
  return out;
}

template <typename Range>
Words words_in(const Range& range) {
  Words out;
  for (const auto& word : range)
    out.emplace(word);
  return out;
}

TEST(FaultsDocument, ExplainsEveryCheck) {
  EXPECT_EQ(words_of("Checks"), words_in(check_names()));
}

TEST(FaultsDocument, ExplainsEveryFinding) {
  EXPECT_EQ(words_of("Findings"), words_in(finding_codes()));
}

TEST(FaultsDocument, ExplainsEveryCause) {
  Words causes;
  for (int i = 0; i <= static_cast<int>(Cause::unknown); ++i)
    causes.emplace(to_string(static_cast<Cause>(i)));
  EXPECT_EQ(words_of("Verdicts"), causes);
}

/// Codes that the sources of the configuration write down.
Words codes_in_configuration() {
  const std::regex code(R"re((?:\.code = |add_problem\(|add\(|refusal\(key, )"([a-z_]+)")re");
  Words out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           testing_support::source_folder() / "src/seda/config")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), code), end; found != end; ++found)
      out.insert((*found)[1]);
  }
  return out;
}

TEST(FindingCodes, HaveThoseOfTheSchema) {
  const Words all = words_in(finding_codes());
  const Words schema = codes_in_configuration();
  EXPECT_GT(schema.size(), 10u);
  for (const std::string& code : schema)
    EXPECT_TRUE(all.contains(code)) << code;
}

}  // namespace
}  // namespace seda::diagnose
