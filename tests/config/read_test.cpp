// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/config/config.h"
#include "tests/config/support.h"

namespace seda::config {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ReadConfig, UnknownKeyNamesTheNearest) {
  EXPECT_EQ(problems_of("data:\n  num_worker: 4\n"),
            "seda.yaml:2:3: unknown key data.num_worker; did you mean data.num_workers?");
  EXPECT_EQ(problems_of("data:\n  Batch-Size: 4\n"),
            "seda.yaml:2:3: unknown key data.Batch-Size; did you mean data.batch_size?");
}

TEST(ReadConfig, RightNameInTheWrongSection) {
  EXPECT_EQ(problems_of("data:\n  lr: 1e-4\n"),
            "seda.yaml:2:3: unknown key data.lr; did you mean training.lr?");
  EXPECT_EQ(problems_of("batch_size: 4\n"),
            "seda.yaml:1:1: unknown key batch_size; did you mean data.batch_size?");
  EXPECT_EQ(problems_of("data:\n  sample_rate: 22050\n"),
            "seda.yaml:2:3: unknown key data.sample_rate; did you mean data.mel.sample_rate?");
}

TEST(ReadConfig, UnknownSectionIsOneProblem) {
  EXPECT_EQ(problems_of("trainning:\n  lr: 1\n  epochs: 2\n"),
            "seda.yaml:1:1: unknown key trainning; did you mean training?");
}

TEST(ReadConfig, NothingNearSaysWhereToLook) {
  EXPECT_EQ(problems_of("data:\n  xylophone_quartet: 1\n"),
            "seda.yaml:2:3: unknown key data.xylophone_quartet; `seda config keys` lists all");
}

TEST(ReadConfig, ADottedNameIsNotNesting) {
  EXPECT_THAT(problems_of("data.batch_size: 4\n"),
              HasSubstr("unknown key data.batch_size; write each section on a line of its own"));
}

TEST(ReadConfig, MissingSpaceBehindTheColon) {
  EXPECT_THAT(problems_of("data:\n  batch_size:16\n"), HasSubstr("a colon needs a space"));
  EXPECT_THAT(problems_of("data: {batch_size:16}\n"), HasSubstr("a colon needs a space"));
  EXPECT_THAT(problems_of("lr:1\n"), HasSubstr("a colon needs a space"));
}

TEST(ReadConfig, WrongValueIsPlacedAtTheValue) {
  EXPECT_EQ(problems_of("data:\n  batch_size: many\n"),
            "seda.yaml:2:15: data.batch_size: expected an integer from 1 to 4096 (clips), found "
            "many");
  EXPECT_THAT(problems_of("data:\n  batch_size: \"16\"\n"),
              HasSubstr("found the quoted text \"16\"; remove the quotes"));
}

TEST(ReadConfig, ColumnsCountCharacters) {
  EXPECT_THAT(problems_of("{\"data\": {\"صدا\": 1, batch_size: x}}\n"),
              HasSubstr("seda.yaml:1:33: data.batch_size"));
}

TEST(ReadConfig, OldNamesAreNamedAsWritten) {
  EXPECT_THAT(problems_of("data:\n  use_tf_native_loading: maybe\n"),
              HasSubstr("data.use_tf_native_loading: expected true or false, found maybe"));
}

TEST(ReadConfig, SectionAndValueMixedUp) {
  EXPECT_EQ(problems_of("data: 5\n"),
            "seda.yaml:1:7: data: expected keys below it, found 5; write name: value, indented");
  EXPECT_THAT(problems_of("data:\n- a\n"), HasSubstr("data: expected keys below it, found a list"));
  EXPECT_THAT(problems_of("data:\n  batch_size:\n    a: 1\n"),
              HasSubstr("data.batch_size: expected an integer from 1 to 4096 (clips), found a "
                        "section"));
  EXPECT_THAT(problems_of("data:\n  batch_size: [1, 2]\n"), HasSubstr("found a list"));
  EXPECT_THAT(problems_of("- data\n"), HasSubstr("the file: expected keys below it, found a list"));
  EXPECT_THAT(problems_of("debug: {inject: [[a]]}\n"), HasSubstr("found a list in it"));
}

TEST(ReadConfig, EmptyFilesSaySo) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "~\n", "\xef\xbb\xbf"}) {
    EXPECT_THAT(problems_of(text), HasSubstr("found an empty file; give at least one key")) << text;
    EXPECT_THAT(problems_of(text), StartsWith("seda.yaml:1:1: ")) << text;
  }
}

TEST(ReadConfig, AnEmptySectionIsFine) {
  EXPECT_TRUE(parse_good("data:\n  # batch_size: 4\ntraining: {}\n").given().empty());
}

TEST(ReadConfig, NoValueIsAutoOrAnError) {
  EXPECT_TRUE(parse_good("data:\n  num_workers:\n  num_buckets: ~\n").is_auto("data.num_workers"));
  EXPECT_THAT(problems_of("data:\n  batch_size:\n  num_workers: 1\n"),
              HasSubstr("seda.yaml:2:3: data.batch_size: expected an integer from 1 to 4096 "
                        "(clips), found nothing; remove the line to get the default, 16"));
}

TEST(ReadConfig, DuplicateKeyIsReportedOnce) {
  const Reading reading = parse_config("data:\n  batch_size: 16\n  batch_size: 32\n", "a.yaml");
  EXPECT_EQ(reading.problems.problems().size(), 1u) << reading.problems.text();
}

TEST(ReadConfig, DuplicateKeysNameBothLines) {
  EXPECT_EQ(problems_of("data:\n  batch_size: 4\n  pin_memory: true\n  batch_size: 4\n"),
            "seda.yaml:4:3: batch_size stands here and already in line 2; keep one of them");
  EXPECT_THAT(problems_of("data: {}\ntraining: {}\ndata: {}\n"),
              HasSubstr("seda.yaml:3:1: data stands here and already in line 1"));
}

TEST(ReadConfig, OldAndNewNameMustAgree) {
  EXPECT_EQ(problems_of("data:\n  enable_xla: true\ntraining:\n  enable_xla_compilation: false\n"),
            "seda.yaml:4:3: training.enable_xla_compilation is false, but data.enable_xla "
            "(seda.yaml:2) is true, and both name the same key; keep "
            "training.enable_xla_compilation");
  const Config config =
      parse_good("data:\n  enable_xla: true\ntraining:\n  enable_xla_compilation: true\n");
  EXPECT_EQ(config.source("training.enable_xla_compilation").text(), "seda.yaml:2");
}

TEST(ReadConfig, AllProblemsAreReportedInOrder) {
  EXPECT_EQ(problems_of("data:\n  batch_size: 0\n  nonsense: 1\ntraining:\n  lr: fast\n"),
            "seda.yaml:2:15: data.batch_size: expected an integer from 1 to 4096 (clips), found 0\n"
            "seda.yaml:3:3: unknown key data.nonsense; `seda config keys` lists all\n"
            "seda.yaml:5:7: training.lr: expected a number above 0 and at most 10, found fast");
}

TEST(ReadConfig, BeyondTwentyProblemsOnlyCounts) {
  std::string text = "data:\n";
  for (int i = 0; i < 30; ++i)
    text += "  unknown_" + std::to_string(i) + ": 1\n";
  const ProblemList problems = parse_config(text, "seda.yaml").problems;
  EXPECT_EQ(problems.problems().size(), 20u);
  EXPECT_EQ(problems.left_out(), 10u);
  EXPECT_THAT(problems.text(), testing::EndsWith("\nand 10 more"));
}

TEST(ReadConfig, GoodValuesBesideBadOnesAreTaken) {
  const Reading reading = parse_config("data:\n  batch_size: 0\n  num_workers: 3\n", "seda.yaml");
  EXPECT_EQ(reading.config.integer("data.num_workers"), 3);
  ASSERT_EQ(reading.problems.problems().size(), 1u);
  const Problem& problem = reading.problems.problems().front();
  EXPECT_EQ(problem.code, "out_of_range");
  EXPECT_EQ(problem.key, "data.batch_size");
  EXPECT_EQ(problem.place, (Place{"seda.yaml", 2, 15}));
}

TEST(ReadConfig, LongAndOddValuesAreShownShort) {
  const std::string message =
      problems_of("data:\n  batch_size: \"a\\n" + std::string(500, 'x') + "\"\n");
  EXPECT_LT(message.size(), 220u);
  EXPECT_THAT(message, Not(HasSubstr("\n")));
}

TEST(ReadConfig, ListsInBothStyles) {
  const std::vector<std::string> expected = {"slow_clip", "slow_decode"};
  EXPECT_EQ(parse_good("debug:\n  inject: [slow_clip, 'slow_decode']\n").list("debug.inject"),
            expected);
  EXPECT_EQ(parse_good("debug:\n  inject:\n  - slow_clip\n  - slow_decode\n").list("debug.inject"),
            expected);
}

TEST(ReadConfig, HostileSizesStayCheap) {
  std::string many = "data:\n";
  while (many.size() < 900'000)
    many += "  k" + std::to_string(many.size()) + ": 1\n";
  EXPECT_EQ(parse_config(many, "seda.yaml").problems.problems().size(), 20u);
  EXPECT_THAT(problems_of("data:\n  " + std::string(900'000, 'k') + ": 1\n"),
              HasSubstr("not valid YAML"));
  EXPECT_THAT(problems_of(std::string(100'000, '[')), HasSubstr("deeper than 32"));
  std::string one_line = "{";
  while (one_line.size() < 900'000)
    one_line += "a,";
  EXPECT_EQ(parse_config(one_line + "}", "seda.yaml").problems.problems().size(), 20u);
  EXPECT_THAT(problems_of(std::string(100'000, '{')), HasSubstr("seda.yaml:1:"));
}

}  // namespace
}  // namespace seda::config
