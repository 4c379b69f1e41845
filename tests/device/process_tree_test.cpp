// SPDX-License-Identifier: Apache-2.0
#include "seda/device/process_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"

namespace seda::device {
namespace {

using testing_support::ManualClock;

constexpr int64_t kSecond = 1'000'000'000;

/// A /proc of a few processes, steered by the test.
class ProcessTreeTest : public testing::Test {
 protected:
  struct Process {
    int parent = 1;
    uint64_t cpu_seconds = 0;
    char state = 'S';
    uint64_t start_ticks = 7;
    uint64_t read_bytes = 0;
  };

  void write(int id, const Process& process) const {
    const auto ticks = process.cpu_seconds * static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
    const std::string folder = std::to_string(id) + "/";
    proc_.write(folder + "stat",
                fmt::format("{} (worker) {} {} 1 1 0 -1 0 0 0 0 0 {} 0 0 0 20 0 2 0 {} 0 256", id,
                            process.state, process.parent, ticks, process.start_ticks));
    proc_.write(folder + "io", fmt::format("rchar: {}\nread_bytes: {}\nwrite_bytes: 0\n",
                                           4 * process.read_bytes, process.read_bytes));
  }
  void end(int id) const { std::filesystem::remove_all(proc_ / std::to_string(id)); }

  ProcessTree make(int root) const { return ProcessTree({root, proc_.path()}, &clock_); }
  ProcessTreeSample after_a_second(ProcessTree& tree) const {
    clock_.advance_ns(kSecond);
    return tree.sample();
  }

  testing_support::TemporaryFolder proc_;
  mutable ManualClock clock_;
};

TEST_F(ProcessTreeTest, ChildrenAndTheirsCountAndOthersDoNot) {
  write(100, {});
  write(50, {.parent = 200});  // listed before its parent
  write(200, {.parent = 100});
  write(300, {.parent = 1});
  ProcessTree tree = make(100);
  write(100, {.cpu_seconds = 1});
  write(50, {.parent = 200, .cpu_seconds = 2});
  write(300, {.parent = 1, .cpu_seconds = 9});
  const ProcessTreeSample sample = after_a_second(tree);
  EXPECT_TRUE(sample.alive && sample.root_alive);
  EXPECT_EQ(sample.processes, 3u);
  EXPECT_EQ(sample.threads, 6u);
  EXPECT_DOUBLE_EQ(sample.cpu, 3);
  EXPECT_DOUBLE_EQ(sample.busiest_cpu, 2);
  EXPECT_EQ(sample.at_full_speed, 2u);
  EXPECT_EQ(sample.resident_bytes, 3 * 256u * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE)));
}

TEST_F(ProcessTreeTest, ChildThatComesLaterIsFoundAtTheNextSearch) {
  write(100, {});
  ProcessTree tree = make(100);
  write(101, {.parent = 100});
  EXPECT_EQ(after_a_second(tree).processes, 1u);
  EXPECT_EQ(after_a_second(tree).processes, 2u);
}

TEST_F(ProcessTreeTest, OrphanStaysInTheTreeAndTheTreeOutlivesItsRoot) {
  write(100, {});
  write(101, {.parent = 100});
  ProcessTree tree = make(100);
  end(100);
  write(101, {.parent = 1});
  const ProcessTreeSample sample = after_a_second(tree);
  EXPECT_TRUE(sample.alive);
  EXPECT_FALSE(sample.root_alive);
  EXPECT_EQ(after_a_second(tree).processes, 1u);
  end(101);
  EXPECT_FALSE(after_a_second(tree).alive);
}

TEST_F(ProcessTreeTest, IdGivenToAnotherProcessIsNotTheOldOne) {
  write(100, {});
  ProcessTree tree = make(100);
  write(100, {.start_ticks = 8});
  EXPECT_FALSE(after_a_second(tree).alive);
}

TEST_F(ProcessTreeTest, ReadsAreSummedAndProcessesInDiskWaitCounted) {
  write(100, {});
  write(101, {.parent = 100});
  ProcessTree tree = make(100);
  write(100, {.read_bytes = 1000});
  write(101, {.parent = 100, .state = 'D', .read_bytes = 500});
  const ProcessTreeSample sample = after_a_second(tree);
  EXPECT_DOUBLE_EQ(sample.read_bytes_per_s.value(), 1500);
  EXPECT_DOUBLE_EQ(sample.called_bytes_per_s.value(), 6000);
  EXPECT_EQ(sample.in_disk_wait, 1u);
}

TEST_F(ProcessTreeTest, FirstIsTheOneNearestTheRootThatIsNoWrapper) {
  write(100, {});
  write(101, {.parent = 100, .cpu_seconds = 10});
  write(102, {.parent = 101, .cpu_seconds = 10});
  ProcessTree tree = make(100);
  write(101, {.parent = 100, .cpu_seconds = 11});
  write(102, {.parent = 101, .cpu_seconds = 13});
  const ProcessTreeSample sample = after_a_second(tree);
  EXPECT_DOUBLE_EQ(sample.first_cpu, 1);
  EXPECT_DOUBLE_EQ(sample.busiest_cpu, 3);
}

TEST_F(ProcessTreeTest, WaitingForACoreIsSummedWhereTheKernelTells) {
  write(100, {});
  write(101, {.parent = 100});
  proc_.write("101/schedstat", "5 1000000000 1");
  ProcessTree tree = make(100);
  proc_.write("101/schedstat", "5 1500000000 1");
  EXPECT_DOUBLE_EQ(after_a_second(tree).core_wait.value(), 0.5);
}

TEST_F(ProcessTreeTest, WithoutPermissionReadsAreUnknownNotZero) {
  write(100, {});
  write(101, {.parent = 100});
  std::filesystem::remove(proc_ / "100/io");
  ProcessTree tree = make(100);
  EXPECT_FALSE(after_a_second(tree).read_bytes_per_s);
}

TEST_F(ProcessTreeTest, ProcessThatNeverWasIsNotAlive) {
  ProcessTree tree = make(100);
  EXPECT_FALSE(after_a_second(tree).alive);
}

TEST_F(ProcessTreeTest, CircleOfParentsEnds) {
  write(100, {.parent = 101});
  write(101, {.parent = 100});
  ProcessTree tree = make(100);
  EXPECT_EQ(after_a_second(tree).processes, 2u);
}

TEST(RealProcessTree, ThisProcessIsItsOwnRoot) {
  ProcessTree tree;
  const ProcessTreeSample sample = tree.sample();
  EXPECT_TRUE(sample.alive);
  EXPECT_GE(sample.processes, 1u);
}

}  // namespace
}  // namespace seda::device
