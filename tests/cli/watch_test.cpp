// SPDX-License-Identifier: Apache-2.0
// `seda watch` as people call it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "seda/base/json.h"
#include "tests/support/markup.h"
#include "tests/support/run_program.h"

namespace seda::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_support::ProgramResult;
using testing_support::read_file;
using testing_support::run_shell;
using testing_support::TemporaryFolder;

class WatchVerb : public testing::Test {
 protected:
  /// Runs a line of the shell in which `$seda` is the program.
  ProgramResult shell(const std::string& line) const {
    return run_shell("seda='" + (program_root() / "bin/seda").string() + "'; " + line,
                     folder_.path());
  }

  /// The same with a made-up GPU that is busy so many percent of the time.
  ProgramResult with_gpu(int percent, const std::string& line) const {
    std::filesystem::create_directories(folder_ / "nvml");
    std::filesystem::create_symlink(program_root() / "bin/libfake_nvml.so",
                                    folder_ / "nvml/libnvidia-ml.so.1");
    return shell("export LD_LIBRARY_PATH=\"$PWD/nvml\" FAKE_NVML_UTILIZATION=" +
                 std::to_string(percent) + "; " + line);
  }

  Json json(const ProgramResult& result) const { return parse_json(result.out, "stdout"); }

  TemporaryFolder folder_;
};

TEST_F(WatchVerb, CommandKeepsItsInputOutputAndCode) {
  const auto result =
      shell("echo in | $seda watch -q -- sh -c 'cat; echo out; echo err >&2; exit 7'");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.out, "in\nout\n");
  EXPECT_THAT(result.err, AllOf(HasSubstr("err\n"), HasSubstr("verdict      unknown"),
                                HasSubstr("too short to judge")));
}

TEST_F(WatchVerb, WordsOfTheCommandArriveAsTheyAre) {
  const auto result =
      shell("$seda watch -q -- printf '<%s>' --json -q -- '' 'a b' '{}' '[x,y]' -- %");
  EXPECT_EQ(result.out, "<--json><-q><--><><a b><{}><[x,y]><--><%>");
}

TEST_F(WatchVerb, MistypedFlagIsNotACommand) {
  const auto result = shell("$seda watch --intervall 1 -- true");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("has no flag --intervall; did you mean '--interval'?"));
}

TEST_F(WatchVerb, SignalThatEndsTheCommandIsPassedOn) {
  EXPECT_EQ(shell("$seda watch -q -- sh -c 'kill -9 $$'").exit_code, 128 + 9);
}

TEST_F(WatchVerb, CommandThatCannotBeRunIsToldAsShellsDo) {
  const auto missing = shell("$seda watch -- no-such-program --flag");
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_THAT(missing.err, HasSubstr("cannot run 'no-such-program': not found"));
  EXPECT_EQ(shell("touch plain; $seda watch -- ./plain").exit_code, 126);
  EXPECT_EQ(shell("$seda watch -- ''").exit_code, 127);
}

TEST_F(WatchVerb, ProcessThatIsNotThereIsAnError) {
  const auto result = shell("$seda watch --pid 999999999");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no process with the id 999999999"));
  EXPECT_EQ(shell("$seda watch --pid 0").exit_code, 2);
  EXPECT_EQ(shell("$seda watch --pid 1 -- true").exit_code, 2);
}

TEST_F(WatchVerb, ProcessIsWatchedUntilItEnds) {
  const auto result = shell("(exec sleep 0.5) & $seda watch --pid $!");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("watched      process "), HasSubstr("has ended"),
                                HasSubstr("verdict")));
}

TEST_F(WatchVerb, JsonHasWhatScriptsRelyOn) {
  const auto result = shell("$seda watch --json --output report.json -- sleep 0.4");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json watch = json(result);
  for (const char* field : {"samples", "seconds", "gpus", "process", "verdict", "machine"})
    EXPECT_TRUE(watch.contains(field)) << field;
  EXPECT_GE(watch["samples"], 2);
  EXPECT_TRUE(watch["process"].contains("cpu"));
  EXPECT_TRUE(watch["process"].contains("read_bytes"));
  EXPECT_EQ(watch["verdict"]["cause"], "unknown");
  EXPECT_EQ(watch["exit_code"], 0);
  EXPECT_EQ(read_file(folder_ / "report.json"), result.out);
}

TEST_F(WatchVerb, ReportAndPageAreWritten) {
  const auto result = with_gpu(95, "$seda watch --output report.txt --html page.html -- sleep 0.5");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, IsEmpty()) << "stdout is the command's";
  EXPECT_THAT(result.err, HasSubstr(read_file(folder_ / "report.txt")));
  const std::string page = read_file(folder_ / "page.html");
  EXPECT_EQ(testing_support::markup_problem(page), "");
  EXPECT_THAT(page, AllOf(HasSubstr("Verdict"), HasSubstr("sleep 0.5"), HasSubstr("GPU busy"),
                          HasSubstr("NVIDIA Fake 1000"), Not(HasSubstr("<script"))));
}

TEST_F(WatchVerb, PlaceThatCannotBeWrittenIsFoundBeforeTheCommandRuns) {
  const auto result = shell("$seda watch --output none/report.txt -- touch ran");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
}

TEST_F(WatchVerb, BusyGpuIsHealthy) {
  const auto result = with_gpu(95, "$seda watch --json --interval 0.05 -- sleep 3");
  const Json watch = json(result);
  EXPECT_EQ(watch["verdict"]["cause"], "healthy") << watch.dump();
  EXPECT_EQ(watch["gpus"].size(), 2u);
  EXPECT_NEAR(watch["gpus"][0]["busy_mean"].get<double>(), 0.95, 1e-6);
  EXPECT_EQ(watch["gpus"][0]["power_limit_w"], 700);
}

TEST_F(WatchVerb, StarvedGpuIsNotHealthyAndTheFigureIsTold) {
  const auto result =
      with_gpu(20, "$seda watch --json --interval 0.05 -- timeout 3 sh -c 'while :; do :; done'");
  EXPECT_EQ(result.exit_code, 124);
  const Json verdict = json(result)["verdict"];
  EXPECT_NE(verdict["cause"], "healthy");
  EXPECT_THAT(verdict["evidence"].get<std::string>(), StartsWith("GPU 0 was busy 20 %"));
}

TEST_F(WatchVerb, WithoutGpuSaysSo) {
  const auto result = shell("LD_LIBRARY_PATH=/nonexistent $seda watch --json -- sleep 2.5");
  const Json watch = json(result);
  if (!watch["gpus"].empty()) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(watch["verdict"]["cause"], "no_gpu");
  EXPECT_THAT(watch["verdict"]["evidence"].get<std::string>(), HasSubstr("no GPU to watch: "));
}

/// Waits until the command has begun.
constexpr const char* kBegun = "while [ ! -e begun ]; do :; done; ";

TEST_F(WatchVerb, InterruptReachesTheCommandAndTheVerdictIsTold) {
  const auto result =
      shell("$seda watch -- sh -c 'echo $$ >pid; mv pid begun; exec sleep 60' & watch=$!; " +
            std::string(kBegun) +
            "kill -INT $watch; wait $watch; echo code $?; kill -0 $(cat begun) && echo runs");
  EXPECT_THAT(result.out, HasSubstr("code 130"));
  EXPECT_THAT(result.out, Not(HasSubstr("runs")));
  EXPECT_THAT(result.err, HasSubstr("verdict"));
}

TEST_F(WatchVerb, CommandThatDoesNotHeedTheInterruptIsLeftAndNamed) {
  const auto result = shell(
      "$seda watch -- sh -c 'trap \"\" INT; echo $$ >pid; mv pid begun; exec sleep 60' & "
      "watch=$!; " +
      std::string(kBegun) + "kill -INT $watch; wait $watch; echo code $?; kill $(cat begun)");
  EXPECT_THAT(result.out, HasSubstr("code 130"));
  EXPECT_THAT(result.err, HasSubstr("still runs"));
}

TEST_F(WatchVerb, TerminationIsPassedOnAndItsCodeComesBack) {
  const auto result = shell("$seda watch -- sh -c 'touch begun; exec sleep 60' & watch=$!; " +
                            std::string(kBegun) + "kill -TERM $watch; wait $watch; echo code $?");
  EXPECT_THAT(result.out, HasSubstr("code 143"));
}

// Without --foreground, timeout sends SIGINT twice: to the process and to its group.
TEST_F(WatchVerb, MachineIsWatchedUntilCtrlC) {
  const auto result = shell("timeout --preserve-status -s INT 2 $seda watch");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.out, AllOf(StartsWith("watched      this machine"), HasSubstr("verdict")));
}

TEST_F(WatchVerb, NarrowTerminalGetsALiveViewThatFits) {
  const auto result = shell(
      "command -v script >/dev/null || exit 77; TERM=xterm LANG=C.UTF-8 script -qec \"stty cols 40 "
      "rows 20; timeout --foreground --preserve-status -s INT 2 $seda watch >report.txt\" "
      "/dev/null");
  if (result.exit_code == 77) GTEST_SKIP() << "no script(1) to make a terminal with";
  EXPECT_EQ(result.exit_code, 130) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("seda watch "), HasSubstr("CPU"), HasSubstr("\x1b[J")));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b[?25l"))) << "the cursor is never hidden";
  EXPECT_THAT(read_file(folder_ / "report.txt"), HasSubstr("verdict"));
}

}  // namespace
}  // namespace seda::cli
