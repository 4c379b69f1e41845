// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/old_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::run_seda;

TEST(OldNames, EightToolsAndTheTrainerAreKnown) {
  EXPECT_EQ(old_names().size(), 9u);
}

TEST(OldNames, FoundInEverySpelling) {
  for (const OldName& old : old_names()) {
    const std::string name(old.name);
    for (const std::string& word :
         {name, name + ".py", "utilities/" + name, "./utilities/" + name + ".py"}) {
      EXPECT_EQ(find_old_name(word), &old) << word;
    }
  }
  EXPECT_EQ(find_old_name("train"), nullptr);
  EXPECT_EQ(find_old_name(".py"), nullptr);
  EXPECT_EQ(find_old_name(""), nullptr);
}

TEST(OldNames, AnswerCarriesTheUsersOwnArguments) {
  const OldName* old = find_old_name("enhanced_gpu_profiler");
  const std::string text =
      answer(*old, {"seda", "enhanced_gpu_profiler", "--data-path", "./my data", "--benchmark"},
             {"profile"});
  EXPECT_THAT(text, HasSubstr("call it as: seda profile data --data-path './my data' --benchmark"));
  EXPECT_THAT(text, Not(HasSubstr("yet")));
}

TEST(OldNames, VerbThatIsNotThereIsNotPromised) {
  const OldName* old = find_old_name("train_main");
  EXPECT_THAT(answer(*old, {"seda", "train_main.py"}, {"config"}),
              HasSubstr("does not have this verb yet"));
}

TEST(OldNames, ProgramAnswersWithExitCodeTwo) {
  const auto result = run_seda("utilities/validate_gpu_pipeline.py --fix");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("is now 'seda validate'"), HasSubstr("seda validate --fix")));
}

}  // namespace
}  // namespace seda::cli
