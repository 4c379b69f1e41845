// SPDX-License-Identifier: Apache-2.0
// `seda diagnose` as people call it.
#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/file.h"
#include "seda/base/json.h"
#include "seda/cli/app.h"
#include "seda/cli/diagnose_bundle.h"
#include "tests/support/run_program.h"
#include "tests/support/small_corpus.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing_support::run_seda;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

constexpr const char* kShort = "diagnose corpus --batch-size 4 --num-batches 24 --step-ms 5";

/// A folder with a corpus of 24 clips.
class DiagnoseVerb : public testing::Test {
 protected:
  DiagnoseVerb() { write_small_corpus(folder_, 24, "clipname", "The zebra with the number "); }

  testing_support::ProgramResult seda(const std::string& arguments) const {
    return run_seda(arguments, folder_.path());
  }

  Json json(const std::string& arguments) const {
    const auto result = seda(arguments + " --json --quiet");
    EXPECT_LE(result.exit_code, 1) << result.err;
    return parse_json(result.out, "stdout");
  }

  TemporaryFolder folder_;
};

TEST_F(DiagnoseVerb, JsonHasWhatScriptsRelyOn) {
  const Json found = json(kShort);
  ASSERT_THAT(found["sections"], SizeIs(8));
  for (const Json& section : found["sections"]) {
    EXPECT_TRUE(section["evidence"].is_object());
    EXPECT_THAT(section["status"].get<std::string>(),
                testing::AnyOf("good", "fair", "poor", "not measured"));
  }
  EXPECT_TRUE(found["issues"].is_array());
  EXPECT_TRUE(found["recommendations"].is_array());
  EXPECT_TRUE(found["config_changes"].is_object());
  for (const char* field : {"cause", "evidence", "remedies"})
    EXPECT_TRUE(found["verdict"].contains(field)) << field;
}

TEST_F(DiagnoseVerb, PathIsProvedByCounters) {
  const Json found = json(kShort);
  const Json& path = found["sections"][2]["evidence"];
  EXPECT_EQ(path["path"], "native");
  EXPECT_GE(path["clips_counted"], 24 * 4);
  EXPECT_GE(path["items_through_stages"]["read"], 24 * 4);
}

TEST_F(DiagnoseVerb, SlowStorageIsNamedAndWorthAnExitCode) {
  folder_.write("slow.yaml", "debug:\n  inject: [slow_storage=20]\n");
  const Json found = json(std::string(kShort) + " --config slow.yaml");
  EXPECT_EQ(found["verdict"]["cause"], "slow_storage");
  const Json& first = found["verdict"]["remedies"][0];
  EXPECT_GT(first["after"], first["before"]);
  EXPECT_THAT(first["expected_gain"].get<std::string>(), HasSubstr("% of ceiling"));
  EXPECT_EQ(seda(std::string(kShort) + " --config slow.yaml --quiet").exit_code, 1);
}

TEST_F(DiagnoseVerb, TheReferenceLoaderIsNamedByWhatTheOtherBrings) {
  folder_.write("reference.yaml",
                "data:\n  native_loading: false\ndebug:\n  inject: [slow_decode=10]\n");
  const Json found = json(std::string(kShort) + " --config reference.yaml");
  EXPECT_EQ(found["verdict"]["cause"], "reference_path");
}

TEST_F(DiagnoseVerb, TextMadeInTheLoopIsNamed) {
  folder_.write("text.yaml", "data:\n  native_loading: false\ndebug:\n  inject: [slow_text=30]\n");
  const Json found = json(std::string(kShort) + " --config text.yaml");
  EXPECT_EQ(found["verdict"]["cause"], "slow_text");
  EXPECT_EQ(found["config_changes"]["data.native_loading"], "true");
}

TEST_F(DiagnoseVerb, WritesItsReportWhereItWasAlwaysFound) {
  const auto result = seda(std::string(kShort) + " --quiet");
  EXPECT_EQ(read_file(folder_ / "diagnostic_report.txt"), result.out);
  EXPECT_THAT(result.out, AllOf(HasSubstr("VERDICT"), HasSubstr("8. pipeline")));
  seda(std::string(kShort) + " --quiet --output own.txt");
  EXPECT_THAT(read_file(folder_ / "own.txt"), HasSubstr("VERDICT"));
}

TEST_F(DiagnoseVerb, NoLineIsWiderThanAFileOf80) {
  const auto result = seda(std::string(kShort) + " --quiet");
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 82u) << line;  // µ has two bytes
}

TEST_F(DiagnoseVerb, WritesATimeline) {
  seda(std::string(kShort) + " --trace timeline.json");
  EXPECT_THAT(read_file(folder_ / "timeline.json"),
              AllOf(HasSubstr("consumer"), HasSubstr("\"read\"")));
}

TEST_F(DiagnoseVerb, TheBundleHasReportsButNoWordOfTheCorpus) {
  seda(std::string(kShort) + " --bundle help.tar.gz");
  const auto listed = run_shell("tar -tzf help.tar.gz && tar -xzf help.tar.gz", folder_.path());
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  for (const char* name : {"system.json", "corpus.json", "configuration.json", "report.txt",
                           "report.json", "report.html"})
    EXPECT_THAT(listed.out, HasSubstr(std::string("seda-diagnosis/") + name));
  EXPECT_THAT(listed.out, AllOf(Not(HasSubstr(".wav")), Not(HasSubstr("metadata"))));
  const auto words = run_shell("grep -rilE 'zebra|clipname|RIFF' seda-diagnosis", folder_.path());
  EXPECT_EQ(words.out, "");
}

TEST(DiagnoseBundle, HomesAreShortened) {
  EXPECT_EQ(without_homes("at /home/anna/voice and \"/home/ben\"", "/root"),
            "at ~/voice and \"~\"");
  EXPECT_EQ(without_homes("/data/me/x", "/data/me"), "~/x");
  EXPECT_EQ(without_homes("/x/y", "/"), "/x/y");
}

TEST_F(DiagnoseVerb, AppliesWhatHelpsAndKeepsTheComment) {
  folder_.write("voice.yaml",
                "data:\n  dataset_path: corpus\n  batch_size: 4\n  native_loading: false  # why?\n"
                "debug:\n  inject: [slow_text=30]\n");
  const auto result =
      seda("diagnose --config voice.yaml --num-batches 24 --step-ms 5 --apply --quiet");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("-  native_loading: false  # why?"), HasSubstr("kept")));
  EXPECT_THAT(read_file(folder_ / "voice.yaml"), HasSubstr("native_loading: true  # why?"));
  EXPECT_THAT(read_file(folder_ / "voice.yaml.bak-1"), HasSubstr("native_loading: false"));
}

TEST_F(DiagnoseVerb, HasNothingToApplyToWithoutAFile) {
  const auto result = seda(std::string(kShort) + " --apply");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--config"));
}

TEST_F(DiagnoseVerb, WithoutACorpusNamesTheKey) {
  const auto result = seda("diagnose");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("data.dataset_path"));
}

TEST_F(DiagnoseVerb, AnEmptyCorpusIsAnErrorThatSaysSo) {
  folder_.write("empty/metadata.csv", "");
  const auto result = seda("diagnose empty");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("empty"));
}

TEST_F(DiagnoseVerb, ADeviceThatIsNotThereCannotBeMeasured) {
  EXPECT_EQ(seda(std::string(kShort) + " --model-gpu 77").exit_code, 3);
}

TEST_F(DiagnoseVerb, CtrlCEndsItInEachPart) {
  ASSERT_EQ(seda("prepare corpus").exit_code, 0);
  const std::string program = (program_root() / "bin/seda").string();
  for (const char* seconds : {"0.5", "2.5", "4.5"}) {
    const auto result = run_shell(
        "timeout --foreground --preserve-status -s INT " + std::string(seconds) + " '" + program +
            "' diagnose corpus --batch-size 4 --step-ms 200 --num-batches 100000",
        folder_.path());
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_THAT(result.out, IsEmpty());
  }
}

TEST(DiagnoseFlags, AreThoseThatWerePromised) {
  const auto app = make_app();
  const CLI::App* verb = app->get_subcommand("diagnose");
  for (const char* flag :
       {"--batch-size", "--num-batches", "--output", "--html", "--apply", "--bundle", "--trace",
        "--step-ms", "--train-data", "--data-path", "--config", "--json", "--quiet"})
    EXPECT_NE(verb->get_option_no_throw(flag), nullptr) << flag;
}

TEST_F(DiagnoseVerb, ThePageShowsWhatWasFoundInABrowser) {
  if (!std::filesystem::exists("/usr/bin/chromium")) GTEST_SKIP() << "no chromium is installed";
  folder_.write("slow.yaml", "debug:\n  inject: [slow_storage=20]\n");
  seda(std::string(kShort) + " --config slow.yaml --html page.html");
  EXPECT_THAT(
      read_file(folder_ / "page.html"),
      AllOf(Not(HasSubstr("http://")), Not(HasSubstr("https://")), Not(HasSubstr("<script"))));
  const auto shown = run_shell(
      "HOME=$PWD timeout 60 chromium --headless --no-sandbox "
      "--disable-gpu --dump-dom file://$PWD/page.html",
      folder_.path());
  if (shown.out.empty()) GTEST_SKIP() << "chromium does not run here: " << shown.err;
  for (const char* piece :
       {"slow_storage", "What to change", "Stages (workers:", "Batches that lie ready",
        "Step times", "Cores in use", "Timeline: who did what", "Memory plan", "GPU hardware",
        "graph mode and fused kernels", "<title>read: busy"})
    EXPECT_THAT(shown.out, HasSubstr(piece));
}

}  // namespace
}  // namespace seda::cli
