// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/completion.h"

#include <sstream>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/cli/app.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

/// What bash would offer for the last of `words`, by running the script in bash.
std::vector<std::string> offered(const std::string& words, int count) {
  const TemporaryFolder folder;
  folder.write("seda.bash", bash_completion(*make_app()));
  folder.write("ask.bash", "source seda.bash\nCOMP_WORDS=(" + words +
                               ")\nCOMP_CWORD=" + std::to_string(count - 1) +
                               "\n_seda\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  const auto result = run_shell("bash ask.bash", folder.path());
  EXPECT_THAT(result.err, IsEmpty());
  std::istringstream lines(result.out);
  std::vector<std::string> out;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) out.push_back(line);
  }
  return out;
}

TEST(BashCompletion, OffersVerbs) {
  EXPECT_THAT(offered("seda co", 2), UnorderedElementsAre("corpus", "config", "completion"));
}

TEST(BashCompletion, OffersVerbsOfAVerb) {
  EXPECT_THAT(offered("seda config ''", 3), AllOf(Contains("show"), Contains("keys")));
}

TEST(BashCompletion, OffersFlagsOfTheVerbThatWasTyped) {
  EXPECT_THAT(offered("seda config show --batch", 4),
              ElementsAre("--batch-size", "--batch-frames"));
  EXPECT_THAT(offered("seda config keys --batch", 4), IsEmpty());
}

TEST(BashCompletion, OffersChoicesOfAFlag) {
  EXPECT_THAT(offered("seda config show --model-size ''", 5),
              UnorderedElementsAre("tiny", "small", "normal", "big"));
}

TEST(BashCompletion, OffersChoicesOfAnArgument) {
  EXPECT_THAT(offered("seda completion ''", 3), testing::IsSupersetOf({"bash", "zsh", "man"}));
  EXPECT_THAT(offered("seda completion ba", 3), ElementsAre("bash"));
}

TEST(BashCompletion, OffersChoicesWithoutWhatChecksThem) {
  EXPECT_THAT(offered("seda train --stage ''", 4), UnorderedElementsAre("voice", "vocoder"));
}

TEST(BashCompletion, OffersFilesForAFile) {
  EXPECT_THAT(offered("seda config show --config seda.b", 5), ElementsAre("seda.bash"));
}

TEST(ZshCompletion, IsAcceptedByZsh) {
  const TemporaryFolder folder;
  if (run_shell("command -v zsh", folder.path()).exit_code != 0) GTEST_SKIP() << "no zsh here";
  folder.write("_seda", zsh_completion(*make_app()));
  const auto result = run_shell(
      "zsh -fc 'autoload -Uz compinit; compinit -D; source ./_seda; "
      "whence -w _seda_config_show'",
      folder.path());
  EXPECT_EQ(result.out, "_seda_config_show: function\n") << result.err;
}

TEST(ZshCompletion, HasAFunctionForEveryVerb) {
  const std::string script = zsh_completion(*make_app());
  for (const char* name :
       {"_seda()", "_seda_config()", "_seda_config_show()", "_seda_completion()"}) {
    EXPECT_THAT(script, testing::HasSubstr(name));
  }
}

}  // namespace
}  // namespace seda::cli
