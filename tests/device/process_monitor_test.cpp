// SPDX-License-Identifier: Apache-2.0
#include "seda/device/process_monitor.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"

namespace seda::device {
namespace {

using testing_support::ManualClock;

constexpr int kId = 4321;

/// A /proc of one process, steered by the test.
class ProcessMonitorTest : public testing::Test {
 protected:
  struct Process {
    char state = 'R';
    uint64_t major_faults = 10;
    uint64_t user_ticks = 1000;
    uint64_t system_ticks = 500;
    uint64_t start_ticks = 777;
    uint64_t read_bytes = 1 << 20;
  };

  void write(const Process& process) const {
    const std::string folder = std::to_string(kId) + "/";
    proc_.write(folder + "stat",
                fmt::format("{} (py) thon) {} 1 1 1 0 -1 0 100 0 {} 0 {} {} 0 0 20 0 8 0 {} 0 256",
                            kId, process.state, process.major_faults, process.user_ticks,
                            process.system_ticks, process.start_ticks));
    proc_.write(folder + "io", fmt::format("rchar: 0\nread_bytes: {}\nwrite_bytes: {}\n",
                                           process.read_bytes, process.read_bytes / 2));
  }

  ProcessMonitor make() const { return ProcessMonitor({kId, proc_.path()}, &clock_); }

  testing_support::TemporaryFolder proc_;
  ManualClock clock_;
};

TEST_F(ProcessMonitorTest, RatesAreOverTheTimeBetweenSamples) {
  const auto ticks = static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
  write({});
  ProcessMonitor monitor = make();
  clock_.advance_ns(2'000'000'000);
  write({.major_faults = 14,
         .user_ticks = 1000 + 4 * ticks,
         .system_ticks = 500 + ticks,
         .read_bytes = 5 << 20});
  const ProcessSample sample = monitor.sample();
  EXPECT_TRUE(sample.alive);
  EXPECT_DOUBLE_EQ(sample.seconds, 2.0);
  EXPECT_DOUBLE_EQ(sample.cpu, 2.5);
  EXPECT_EQ(sample.threads, 8u);
  EXPECT_EQ(sample.resident_bytes, 256u * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE)));
  EXPECT_DOUBLE_EQ(sample.major_faults_per_s, 2.0);
  EXPECT_EQ(sample.read_bytes, 5u << 20);
  EXPECT_DOUBLE_EQ(sample.read_bytes_per_s.value(), 2.0 * (1 << 20));
  EXPECT_DOUBLE_EQ(sample.written_bytes_per_s.value(), 1.0 * (1 << 20));
}

TEST_F(ProcessMonitorTest, NoTimeBetweenSamplesGivesNoRate) {
  write({});
  ProcessMonitor monitor = make();
  EXPECT_EQ(monitor.sample().cpu, 0.0);
}

TEST_F(ProcessMonitorTest, UnreadableIoIsEmptyNotZero) {
  write({});
  std::filesystem::remove(proc_ / (std::to_string(kId) + "/io"));
  ProcessMonitor monitor = make();
  clock_.advance_ns(1'000'000);
  const ProcessSample sample = monitor.sample();
  EXPECT_TRUE(sample.alive);
  EXPECT_EQ(sample.read_bytes, std::nullopt);
  EXPECT_EQ(sample.read_bytes_per_s, std::nullopt);
}

TEST_F(ProcessMonitorTest, EndedProcessIsNotAlive) {
  write({});
  ProcessMonitor monitor = make();
  std::filesystem::remove_all(proc_ / std::to_string(kId));
  EXPECT_FALSE(monitor.sample().alive);
}

TEST_F(ProcessMonitorTest, ProcessWaitingToBeReapedIsNotAlive) {
  write({});
  ProcessMonitor monitor = make();
  write({.state = 'Z'});
  EXPECT_FALSE(monitor.sample().alive);
}

TEST_F(ProcessMonitorTest, AnotherProcessWithTheSameIdIsNotTaken) {
  write({});
  ProcessMonitor monitor = make();
  write({.start_ticks = 999});
  EXPECT_FALSE(monitor.sample().alive);
  EXPECT_FALSE(monitor.sample().alive) << "not later either";
}

TEST_F(ProcessMonitorTest, ProcessThatNeverWasIsNotAlive) {
  ProcessMonitor monitor = make();
  EXPECT_FALSE(monitor.sample().alive);
}

TEST(RealProcess, ThisProcessIsAliveAndHasMemory) {
  ProcessMonitor monitor;
  const ProcessSample sample = monitor.sample();
  EXPECT_TRUE(sample.alive);
  EXPECT_GE(sample.threads, 1u);
  EXPECT_GT(sample.resident_bytes, 0u);
}

TEST(RealProcess, ChildIsAliveUntilItEnds) {
  int hold[2] = {};
  ASSERT_EQ(pipe(hold), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(hold[1]);
    char ignored = 0;
    const ssize_t got = read(hold[0], &ignored, 1);  // until the parent closes its end
    _exit(got == 0 ? 0 : 1);
  }
  close(hold[0]);
  ProcessMonitor monitor({.process_id = child});
  EXPECT_TRUE(monitor.sample().alive);
  close(hold[1]);
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_FALSE(monitor.sample().alive) << "ended, not yet reaped";
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(monitor.sample().alive);
}

}  // namespace
}  // namespace seda::device
