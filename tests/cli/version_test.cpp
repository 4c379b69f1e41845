// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/json.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::run_seda;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

TEST(Version, NamesCommitCompilerCudaSimdAndTorch) {
  const auto result = run_seda("--version");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("seda " + std::string(build_info().version)));
  EXPECT_THAT(result.out, HasSubstr(std::string(build_info().commit)));
  EXPECT_THAT(result.out, AllOf(HasSubstr("compiler"), HasSubstr("CUDA"), HasSubstr("SIMD"),
                                HasSubstr("torch")));
}

TEST(Version, JsonHasTheSame) {
  const Json version = parse_json(run_seda("--version --json").out, "stdout");
  EXPECT_EQ(version["version"], build_info().version);
  EXPECT_FALSE(version["simd"].get<std::string>().empty());
  EXPECT_TRUE(version["torch"].contains("found"));
}

TEST(Version, SaysWhyThereIsNoTorch) {
  const TemporaryFolder folder;
  const auto without = run_shell("SEDA_TORCH='" + folder.path().string() + "' '" +
                                     (program_root() / "bin/seda").string() + "' --version",
                                 folder.path());
  EXPECT_EQ(without.exit_code, 0);
  EXPECT_THAT(without.out, HasSubstr("none: "));
}

TEST(Version, VerboseListsTheCpuAndTriesTorch) {
  const Json version = parse_json(run_seda("--version -v --json").out, "stdout");
  EXPECT_EQ(version["devices"][0]["device"], "cpu");
  EXPECT_TRUE(version["torch"]["tried"].contains("works"));
  if (version["torch"]["found"].get<bool>()) {
    EXPECT_EQ(version["torch"]["tried"]["works"], true) << version.dump(2);
    EXPECT_LT(version["torch"]["tried"]["gradient_error_cpu"].get<double>(), 1e-5);
  }
}

TEST(Version, JsonAloneIsNoCommand) {
  EXPECT_EQ(run_seda("--json").exit_code, 2);
}

}  // namespace
}  // namespace seda::cli
