// SPDX-License-Identifier: Apache-2.0
//
// Real transcripts, where they are at hand: already words, so that little may change.
#include <cctype>
#include <vector>

#include "seda/base/utf8.h"
#include "tests/support/shared_data.h"
#include "tests/text/normalize/spoken_case.h"

namespace seda::text {
namespace {

/// The second column of `id|text`; empty where the data is absent.
std::vector<std::string> transcripts(std::string_view name) {
  const auto file = testing_support::shared_data() / name;
  std::vector<std::string> lines;
  if (!std::filesystem::exists(file)) return lines;
  for (const auto& [id, text] : testing_support::read_pairs(file))
    lines.push_back(text);
  return lines;
}

/// Letters alone, in lower case: what must survive where nothing is to be read anew.
std::string letters(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) out += static_cast<char>(std::tolower(c));
  }
  return out;
}

/// Nothing in the line is an abbreviation, an acronym or a title.
bool is_plain(std::string_view line) {
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const bool point = line[i] == '.';
    const bool capitals = std::isupper(static_cast<unsigned char>(line[i])) != 0 &&
                          std::isupper(static_cast<unsigned char>(line[i + 1])) != 0;
    if (point || capitals) return false;
  }
  return line.find("Dr ") == std::string_view::npos && !line.ends_with("etc.") &&
         !line.ends_with("Mrs.") && !line.ends_with("viz.") && !line.ends_with("Jr.") &&
         !line.ends_with("Co.") && !line.ends_with("Dr.") && !line.ends_with("Col.");
}

TEST(Transcripts, EnglishProseKeepsItsWords) {
  const auto lines = transcripts("ljspeech_transcripts.csv");
  if (lines.empty()) GTEST_SKIP() << "no shared/data/ljspeech_transcripts.csv beside the project";
  size_t plain = 0;
  for (const std::string& line : lines) {
    const std::string text = normalize(line, "en");
    ASSERT_EQ(normalize(text, "en"), text) << line;
    if (!is_plain(line)) continue;
    ++plain;
    ASSERT_EQ(letters(text), letters(line)) << line;
  }
  EXPECT_GT(plain, lines.size() * 8 / 10);
}

TEST(Transcripts, PersianTranscriptsStayAsTheyAre) {
  const auto lines = transcripts("persian_transcripts.csv");
  if (lines.empty()) GTEST_SKIP() << "no shared/data/persian_transcripts.csv beside the project";
  for (const std::string& line : lines)
    EXPECT_EQ(normalize(line, "fa"), line);
}

}  // namespace
}  // namespace seda::text
