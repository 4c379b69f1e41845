// SPDX-License-Identifier: Apache-2.0
// The program as people meet it: verbs, help, errors, exit codes.
#include "seda/cli/app.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_support::run_seda;
using testing_support::TemporaryFolder;

TEST(App, HelpIsOnStdoutAndFine) {
  const auto result = run_seda("--help");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("config"), HasSubstr("completion")));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST(App, HelpAndVersionMayBeWords) {
  EXPECT_EQ(run_seda("help").out, run_seda("--help").out);
  EXPECT_EQ(run_seda("help cache stat").out, run_seda("cache stat --help").out);
  EXPECT_EQ(run_seda("version").out, run_seda("--version").out);
  EXPECT_THAT(run_seda("help stats").err, HasSubstr("no verb 'stats'"));
}

void expect_help_with_example(const CLI::App& verb) {
  EXPECT_THAT(verb.get_description(), Not(IsEmpty())) << verb.get_name();
  EXPECT_THAT(verb.get_footer(), HasSubstr("Examples:\n  s")) << verb.get_name();
  for (const CLI::App* child : verb.get_subcommands({}))
    expect_help_with_example(*child);
}

TEST(App, EveryVerbHasHelpWithAnExample) {
  const auto app = make_app();
  for (const CLI::App* verb : app->get_subcommands({}))
    expect_help_with_example(*verb);
}

TEST(App, WithoutAVerbShowsHelpAsAnError) {
  const auto result = run_seda("");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(StartsWith("error: no verb given"), HasSubstr("config")));
}

TEST(App, UnknownVerbNamesTheNearest) {
  const auto result = run_seda("confg show");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, StartsWith("error: no verb 'confg'; did you mean 'config'?"));
}

TEST(App, UnknownVerbFarFromAllListsWhatThereIs) {
  const auto result = run_seda("zzzzzzzz");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              AllOf(StartsWith("error: no verb 'zzzzzzzz'\n  verbs: "), HasSubstr("config")));
}

TEST(App, UnknownVerbOfAVerbNamesTheNearest) {
  const auto result = run_seda("config shwo");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'show'?"));
}

TEST(App, AMissingVerbOfAVerbNamesThoseThereAre) {
  const auto result = run_seda("cache");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "error: 'seda cache' needs one of: stat, verify, gc, clear, merge (see 'seda cache "
            "--help')\n");
}

TEST(App, UnknownFlagNamesTheNearest) {
  const auto result = run_seda("config show --bach-size 3");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              StartsWith("error: 'seda config show' has no flag --bach-size; did you mean "
                         "'--batch-size'? (see 'seda config show --help')"));
}

TEST(App, MissingArgumentOfAFlagIsUsage) {
  const auto result = run_seda("config show --batch-size");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--batch-size: expected a value behind it, found none"));
}

TEST(App, AFlagThatIsGivenTwiceIsUsage) {
  const auto result = run_seda("config show --config a.yaml --config b.yaml");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("error: --config is given more than once (see"));
}

TEST(App, AValueThatCannotBeIsNamedWithWhatCan) {
  struct Case {
    const char* arguments;
    const char* says;
  };
  const Case cases[] = {
      {"corpus out --clips -1", "--clips: expected an integer from 1 to 1000000, found '-1'"},
      {"corpus out --clips 99999999999999999999", "an integer from 1 to 1000000, found '9999"},
      {"corpus out --seed -5", "--seed: expected an integer from 0 to 4294967295, found '-5'"},
      {"cache verify . --sample 0", "--sample: expected an integer from 1 to"},
      {"synth --steps 99999999999", "--steps: expected an integer from 1 to 1000, found '9999"},
      {"synth --seed -1", "--seed: expected an integer from 0 to"},
      {"profile data --step-ms nan", "--step-ms: expected a number from 0 to 60000, found 'nan'"},
      {"text --stage letters", "expected one of normalize, phonemes, tokens, found 'letters'"},
      {"train --replay gone", "--replay: expected the file of a saved batch, found none at 'gone'"},
      {"-v", "--verbose requires --version"},
  };
  for (const auto& [arguments, says] : cases) {
    const auto result = run_seda(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_THAT(result.err, HasSubstr(says)) << arguments;
  }
}

void expect_plain_value_names(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options())
    EXPECT_THAT(option->get_type_name(), Not(HasSubstr(":"))) << option->get_name(true);
  for (const CLI::App* child : verb.get_subcommands({}))
    expect_plain_value_names(*child);
}

TEST(App, HelpNamesValuesOnceWithoutTheirTypes) {
  expect_plain_value_names(*make_app());
  EXPECT_THAT(run_seda("train --help").out, HasSubstr("--stage voice|vocoder "));
  EXPECT_THAT(run_seda("diagnose --help").out, HasSubstr("--num-batches 1..1000000 "));
}

TEST(App, HelpOfAKeysFlagSaysWhatItDoesAndWhatHoldsWithoutIt) {
  const std::string help = run_seda("train --help").out;
  EXPECT_THAT(help, HasSubstr("data.batch_size: Clips in a batch, for each rank. [16 clips]\n"));
  EXPECT_THAT(help, HasSubstr("before a step. [1]\n")) << "not 1 batches";
  EXPECT_THAT(help, HasSubstr("training.reset: true. Start anew although there is a checkpoint. "
                              "[false]\n"));
}

TEST(App, QuietAndVerboseExcludeEachOther) {
  EXPECT_EQ(run_seda("config keys -q -v").exit_code, 2);
}

TEST(App, QuietLeavesTheResultAlone) {
  const auto loud = run_seda("config show");
  EXPECT_THAT(loud.err, HasSubstr("configuration: defaults"));
  const auto quiet = run_seda("config show --quiet");
  EXPECT_THAT(quiet.err, IsEmpty());
  EXPECT_EQ(quiet.out, loud.out);
}

TEST(App, OutputThatCannotBeWrittenIsAnError) {
  const auto result = run_seda("config keys > /dev/full");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("cannot write to standard output: No space left"));
}

TEST(App, NoColourWhereStderrIsNoTerminal) {
  EXPECT_THAT(run_seda("nothing").err, Not(HasSubstr("\x1b[")));
}

}  // namespace
}  // namespace seda::cli
