// SPDX-License-Identifier: Apache-2.0
// `seda validate` as people call it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "tests/support/run_program.h"
#include "tests/support/small_corpus.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::read_file;
using testing_support::run_seda;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

class ValidateVerb : public testing::Test {
 protected:
  void write_corpus() const { write_small_corpus(folder_, 12); }

  testing_support::ProgramResult seda(const std::string& arguments) const {
    return run_seda("validate " + arguments, folder_.path());
  }
  Json json(const std::string& arguments) const {
    return parse_json(seda(arguments + " --json").out, "stdout");
  }
  static std::string status_of(const Json& report, const std::string& name) {
    for (const Json& check : report["checks"]) {
      if (check["name"] == name) return check["status"];
    }
    return "no such check";
  }

  TemporaryFolder folder_;
};

TEST_F(ValidateVerb, JsonHasWhatScriptsRelyOn) {
  folder_.write("seda.yaml", "data:\n  native_loading: false\n");
  const Json report = json("");
  for (const char* field : {"name", "status", "evidence", "change"})
    EXPECT_TRUE(report["checks"][0].contains(field)) << field;
  const Json& finding = report["findings"][0];
  for (const char* field : {"severity", "code", "key", "line", "evidence", "change"})
    EXPECT_TRUE(finding.contains(field)) << field;
  EXPECT_EQ(finding["code"], "reference_loader");
  EXPECT_EQ(finding["severity"], "error");
  EXPECT_EQ(finding["line"], 2);
  EXPECT_TRUE(report["fixed"].empty());
}

TEST_F(ValidateVerb, ExitsWithOneForAFailedCheckAndZeroForWarnings) {
  folder_.write("seda.yaml", "data: {num_workers: 200}\n");
  EXPECT_EQ(seda("").exit_code, 0);
  folder_.write("seda.yaml", "data: {batch_sise: 200}\n");
  EXPECT_EQ(seda("").exit_code, 1);
  EXPECT_EQ(seda("--native-loading").exit_code, 2) << "no such flag";
}

TEST_F(ValidateVerb, ExitsWithTwoWhereTheFileCannotBeReadOrIsNotYaml) {
  EXPECT_EQ(seda("--config none.yaml").exit_code, 2);
  folder_.write("seda.yaml", "data: [\n");
  EXPECT_EQ(seda("").exit_code, 2);
}

TEST_F(ValidateVerb, WithoutAFileUsesDefaultsAndSaysSo) {
  const Json report = json("");
  EXPECT_EQ(status_of(report, "configuration file"), "warning");
  EXPECT_EQ(status_of(report, "corpus fit"), "not measured");
  EXPECT_TRUE(report["file"].is_null());
  const auto fix = seda("--fix");
  EXPECT_EQ(fix.exit_code, 2);
  EXPECT_THAT(fix.err, HasSubstr("--config"));
}

TEST_F(ValidateVerb, FixKeepsCommentsShowsADiffAndNumbersBackups) {
  const std::string before = "# mine\ndata:\n  native_loading: false  # why\n  batch_size: 8\n";
  const auto file = folder_.write("seda.yaml", before);
  const auto first = seda("--fix");
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, AllOf(HasSubstr("-  native_loading: false  # why\n"),
                               HasSubstr("+  native_loading: true  # why\n")));
  EXPECT_EQ(read_file(file), "# mine\ndata:\n  native_loading: true  # why\n  batch_size: 8\n");
  EXPECT_EQ(read_file(folder_ / "seda.yaml.bak-1"), before);
  folder_.write("seda.yaml", before);
  EXPECT_THAT(seda("--fix").out, HasSubstr("seda.yaml.bak-2"));
  const auto clean = seda("--fix");
  EXPECT_EQ(clean.exit_code, 0);
  EXPECT_THAT(clean.out, HasSubstr("nothing to fix"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "seda.yaml.bak-3"));
}

TEST_F(ValidateVerb, WhatFixesIsToldOfTheFileThatWasRead) {
  folder_.write("seda.yaml", "data: {native_loading: false}\n");
  folder_.write("voice.yaml", "data: {native_loading: false}\n");
  EXPECT_THAT(seda("").out, HasSubstr("can be fixed in the file: seda validate --fix (--dry-run"));
  EXPECT_THAT(seda("--config voice.yaml").out,
              HasSubstr("can be fixed in the file: seda validate --config voice.yaml --fix"));
}

TEST_F(ValidateVerb, DryRunWritesNothing) {
  const std::string before = "data: {native_loading: false}\n";
  const auto file = folder_.write("seda.yaml", before);
  const Json report = json("--fix --dry-run");
  EXPECT_EQ(read_file(file), before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "seda.yaml.bak-1"));
  EXPECT_EQ(report["fixed"][0]["key"], "data.native_loading");
  EXPECT_EQ(report["fixed"][0]["from"], "false");
  EXPECT_EQ(report["fixed"][0]["to"], "true");
  EXPECT_EQ(report["written"], false);
}

TEST_F(ValidateVerb, WithoutAFileToMendNamesTheFlagThatWasGiven) {
  EXPECT_THAT(seda("--dry-run").err, HasSubstr("error: --dry-run: expected a configuration file"));
  EXPECT_THAT(seda("--fix").err, HasSubstr("error: --fix: expected a configuration file"));
}

TEST_F(ValidateVerb, SaysWhereNoSoundCouldBeDecoded) {
  folder_.write("corpus/metadata.csv", "a|A clip.\n");
  folder_.write("corpus/wavs/a.wav", "no sound");
  EXPECT_THAT(seda("corpus --json").out, HasSubstr("; none of 1 could be decoded"));
}

TEST_F(ValidateVerb, FixExitsWithOneWhereSomethingIsLeft) {
  folder_.write("seda.yaml", "data: {native_loading: false, colour: red}\n");
  const auto result = seda("--fix");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(read_file(folder_ / "seda.yaml"), HasSubstr("native_loading: true"));
}

TEST_F(ValidateVerb, LooksAtACorpusWithoutWriting) {
  write_corpus();
  const Json report = json("corpus --batch-size 4");
  EXPECT_EQ(status_of(report, "loader"), "passed");
  EXPECT_EQ(status_of(report, "memory fit"), "passed");
  EXPECT_EQ(status_of(report, "cache"), "warning");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "corpus/.seda"));
}

TEST_F(ValidateVerb, LiveProvesThePathThatRan) {
  write_corpus();
  const Json report = json("corpus --batch-size 4 --live");
  EXPECT_EQ(report["live"]["path"]["native"], true);
  EXPECT_GT(report["live"]["clips_per_second"], 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "corpus/.seda"));
}

TEST_F(ValidateVerb, ARoleThatNamesAGpuWhichIsNotThereFails) {
  const Json report = json("--model-gpu 99");
  EXPECT_EQ(status_of(report, "roles and budgets"), "failed");
  EXPECT_EQ(seda("--model-gpu 99").exit_code, 1);
}

TEST_F(ValidateVerb, WritesReportAndPage) {
  folder_.write("seda.yaml", "data:\n  <script>: 1\n");
  const auto result = seda("--output report.txt --html page.html");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(read_file(folder_ / "report.txt"), HasSubstr("native loading"));
  EXPECT_THAT(read_file(folder_ / "page.html"),
              AllOf(HasSubstr("unknown_key"), Not(HasSubstr("<script>"))));
}

TEST_F(ValidateVerb, HasNoColourWherePiped) {
  EXPECT_THAT(seda("").out, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace seda::cli
