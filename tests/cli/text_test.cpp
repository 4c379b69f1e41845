// SPDX-License-Identifier: Apache-2.0
// `seda text` as people call it.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::HasSubstr;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

TEST(TextVerb, ReadsStdinAndShowsEveryStage) {
  const TemporaryFolder folder;
  folder.write("in", "Dr. Smith has 3 cats.\n");
  const auto result = run_seda("text < in", folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("normalized  Doctor Smith has three cats."));
  EXPECT_THAT(result.out, HasSubstr("phonemes    dˈɑːktɚ"));
  EXPECT_THAT(result.out, HasSubstr("language    en ("));
}

TEST(TextVerb, OneStageGivesOneLineForEachLine) {
  const TemporaryFolder folder;
  folder.write("a.txt", "3 cats\r\n\n");
  folder.write("b.txt", "۳ گربه");
  const auto result = run_seda("text a.txt b.txt --stage normalize", folder.path());
  EXPECT_EQ(result.out, "three cats\n\nسه گربه\n");
}

TEST(TextVerb, JsonHasWhatScriptsRelyOn) {
  const TemporaryFolder folder;
  folder.write("in", "A strange ლ letter stands here.\n");
  const auto result = run_seda("text --json in", folder.path());
  const Json json = parse_json(result.out, "stdout");
  ASSERT_EQ(json["lines"].size(), 1u);
  const Json& line = json["lines"][0];
  for (const char* field : {"input", "language", "normalized", "phonemes", "tokens", "unknown"})
    EXPECT_TRUE(line.contains(field)) << field;
  EXPECT_EQ(line["language"], "en");
}

TEST(TextVerb, TheLanguageCanBeSaid) {
  const TemporaryFolder folder;
  folder.write("in", "12\n");
  EXPECT_EQ(run_seda("text --stage normalize --language fa in", folder.path()).out, "دوازده\n");
  EXPECT_EQ(run_seda("text --stage normalize --language auto in", folder.path()).out, "twelve\n");
  EXPECT_EQ(run_seda("text --stage normalize --language de in", folder.path()).out, "zwölf\n");
  EXPECT_THAT(run_seda("text --language fa in", folder.path()).out,
              HasSubstr("language    fa (as set)\n"));
}

TEST(TextVerb, BadUseIsNamed) {
  const TemporaryFolder folder;
  folder.write("in", "12\n");
  EXPECT_EQ(run_seda("text --stage nothing in", folder.path()).exit_code, 2);
  const auto missing = run_seda("text nowhere.txt", folder.path());
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("nowhere.txt"));
  const auto voiceless = run_seda("text --language xx in", folder.path());
  EXPECT_EQ(voiceless.exit_code, 3);
  EXPECT_THAT(voiceless.err, HasSubstr("no voice for the language 'xx'"));
  folder.write("seda.yaml", "data: {text: {tokenizer: sentencepiece}}\n");
  const auto pieces = run_seda("text in", folder.path());
  EXPECT_EQ(pieces.exit_code, 2);
  EXPECT_THAT(pieces.err, HasSubstr("data.text.tokenizer_model"));
}

TEST(TextVerb, HostileBytesGiveLinesAllTheSame) {
  const TemporaryFolder folder;
  using namespace std::string_literals;
  std::string bytes = "nul \0 byte\nlone \xed\xa0\x80 surrogate\n\xff\xfe\n"s;
  bytes += std::string(1 << 20, 'x') + "\n\u202eright to left\u202c\n";
  folder.write("in", bytes);
  const auto result = run_seda("text --stage normalize in", folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(std::ranges::count(result.out, '\n'), 5);
}

TEST(TextVerb, LeavesTheHomeAlone) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "home");
  const auto result = testing_support::run_shell(
      "echo hello | env -u XDG_RUNTIME_DIR HOME=$PWD/home '" +
          (program_root() / "bin/seda").string() + "' text --stage phonemes",
      folder.path());
  EXPECT_EQ(result.out, "həlˈoʊ\n") << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder / "home"));
}

TEST(TextVerb, WithoutEspeakSaysWhatToInstall) {
  const TemporaryFolder folder;
  folder.write("in", "12\n");
  const auto result = run_seda("text in", folder.path());
  ASSERT_EQ(result.exit_code, 0);
  const auto without = testing_support::run_shell(
      "SEDA_ESPEAK=/nowhere '" + (program_root() / "bin/seda").string() + "' text in",
      folder.path());
  EXPECT_EQ(without.exit_code, 3);
  EXPECT_THAT(without.err, HasSubstr("SEDA_ESPEAK=/nowhere"));
}

}  // namespace
}  // namespace seda::cli
