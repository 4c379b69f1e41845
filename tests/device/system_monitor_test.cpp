// SPDX-License-Identifier: Apache-2.0
#include "seda/device/system_monitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/manual_clock.h"
#include "tests/support/temporary_folder.h"

namespace seda::device {
namespace {

using testing::IsEmpty;
using testing_support::ManualClock;

/// A /proc and a /sys/block steered by the test.
class SystemMonitorTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* disk : {"sda", "loop0", "dm-0"})
      machine_.write(std::string("block/") + disk + "/size", "1");
    machine_.write("proc/meminfo", "MemTotal: 2000 kB\nMemAvailable: 500 kB\n");
    machine_.write("proc/stat", "cpu  100 0 100 1000 100 0 0 0 0 0\n");
    write_disks(50);
  }

  void write_disks(int busy_ms) const {
    std::string text;
    for (const char* name : {"sda", "sda1", "loop0", "dm-0"}) {
      text += "8 0 " + std::string(name) + " 10 0 1000 0 20 0 2000 0 0 " + std::to_string(busy_ms) +
              " 0\n";
    }
    machine_.write("proc/diskstats", text);
  }

  SystemMonitor make() const {
    return SystemMonitor({machine_ / "proc", machine_ / "block"}, &clock_);
  }

  testing_support::TemporaryFolder machine_;
  ManualClock clock_;
};

TEST_F(SystemMonitorTest, SharesAndRatesAreOverTheTimeBetweenSamples) {
  SystemMonitor monitor = make();
  clock_.advance_ns(500'000'000);
  machine_.write("proc/stat", "cpu  130 0 130 1030 110 0 0 0 0 0\n");
  write_disks(300);
  const SystemSample sample = monitor.sample();
  EXPECT_DOUBLE_EQ(sample.cpu.value(), 0.6);
  EXPECT_DOUBLE_EQ(sample.waiting_for_io.value(), 0.1);
  EXPECT_EQ(sample.memory_total_bytes, 2000u * 1024);
  EXPECT_EQ(sample.memory_available_bytes, 500u * 1024);
  ASSERT_EQ(sample.disk_busy.size(), 1u) << "no partitions, loops or mapped devices";
  EXPECT_DOUBLE_EQ(sample.disk_busy[0], 0.5);
}

TEST_F(SystemMonitorTest, CountersThatFellGiveNoRate) {
  SystemMonitor monitor = make();
  clock_.advance_ns(1'000'000'000);
  write_disks(1);
  machine_.write("proc/stat", "cpu  1 0 1 1 1 0 0 0 0 0\n");
  const SystemSample sample = monitor.sample();
  EXPECT_EQ(sample.cpu, std::nullopt);
  ASSERT_EQ(sample.disk_busy.size(), 1u);
  EXPECT_EQ(sample.disk_busy[0], 0.0);
}

TEST_F(SystemMonitorTest, DiskThatAppearsIsThereFromItsSecondSample) {
  SystemMonitor monitor = make();
  machine_.write("block/sdb/size", "1");
  machine_.write("proc/diskstats", "8 0 sdb 10 0 10 0 20 0 20 0 0 5 0\n");
  EXPECT_THAT(monitor.sample().disk_busy, IsEmpty());
  EXPECT_EQ(monitor.sample().disk_busy.size(), 1u);
}

TEST(SystemMonitor, MissingFilesLeaveFieldsEmpty) {
  const testing_support::TemporaryFolder empty;
  SystemMonitor monitor({empty.path(), empty.path()});
  const SystemSample sample = monitor.sample();
  EXPECT_EQ(sample.cpu, std::nullopt);
  EXPECT_EQ(sample.memory_available_bytes, std::nullopt);
  EXPECT_THAT(sample.disk_busy, IsEmpty());
}

TEST(SystemMonitor, ThisMachineIsRead) {
  SystemMonitor monitor;
  const SystemSample sample = monitor.sample();
  EXPECT_GT(sample.memory_available_bytes.value(), 0u);
  EXPECT_GT(sample.memory_total_bytes.value(), sample.memory_available_bytes.value());
}

}  // namespace
}  // namespace seda::device
