// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_sampler.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace seda::diagnose {
namespace {

/// A GPU that is half busy and held back by its power limit.
class HalfBusyGpu final : public device::Monitor {
 public:
  std::string absence() const override { return {}; }
  device::DriverInfo driver() const override { return {}; }
  int gpu_count() const noexcept override { return 1; }
  device::GpuInfo info(int) const override {
    device::GpuInfo info;
    info.name = "half";
    return info;
  }
  device::GpuSample sample(int) override {
    device::GpuSample sample;
    sample.utilization = 0.5;
    sample.throttle_reasons = std::vector<std::string>{"power cap"};
    sample.throttled = true;
    return sample;
  }
  device::GpuLink link(int, int) const override { return {}; }
};

void wait_for(const WatchSampler& sampler, uint64_t samples) {
  while (sampler.latest().number < samples)
    std::this_thread::yield();
}

TEST(WatchSampler, SeesGpuProcessAndMachine) {
  WatchSampler sampler({.process_id = getpid(), .interval_s = 0.01},
                       std::make_unique<HalfBusyGpu>());
  wait_for(sampler, 5);
  sampler.stop();
  const WatchRecord record = sampler.record();
  EXPECT_EQ(record.machine.gpus.at(0).name, "half");
  EXPECT_GE(record.machine.cores, 1);
  EXPECT_TRUE(record.has_process && record.process_alive);
  EXPECT_EQ(record.samples, record.recent.back().number);
  const WatchSample& newest = record.recent.back();
  EXPECT_EQ(newest.gpus.at(0).utilization, 0.5);
  EXPECT_EQ(newest.gpus[0].power_capped, 1);
  EXPECT_EQ(newest.gpus[0].slowed, 0);
  EXPECT_FALSE(is_known(newest.gpus[0].sm_activity));
  EXPECT_THAT(record.limits.at(0), testing::ElementsAre("power cap"));
  EXPECT_GE(newest.host.processes, 1);
  EXPECT_GT(newest.host.resident_bytes, 0);
  EXPECT_GT(newest.host.memory_available_bytes, 0);
}

TEST(WatchSampler, TimesRiseAndNumbersCount) {
  WatchSampler sampler({.interval_s = 0.01}, device::make_empty_monitor("none"));
  wait_for(sampler, 10);
  sampler.stop();
  const auto samples = sampler.after(3);
  ASSERT_GE(samples.size(), 7u);
  EXPECT_EQ(samples.front().number, 4u);
  for (size_t i = 1; i < samples.size(); ++i) {
    EXPECT_GT(samples[i].seconds, samples[i - 1].seconds);
    EXPECT_EQ(samples[i].number, samples[i - 1].number + 1);
  }
}

TEST(WatchSampler, MachineAloneHasNoProcess) {
  WatchSampler sampler({.interval_s = 0.01}, device::make_empty_monitor("none"));
  wait_for(sampler, 2);
  sampler.stop();
  EXPECT_FALSE(sampler.record().has_process);
  EXPECT_FALSE(is_known(sampler.latest().host.cpu));
  EXPECT_EQ(sampler.machine().gpu_absence, "none");
}

TEST(WatchSampler, SurvivesTheEndOfItsProcess) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  WatchSampler sampler({.process_id = child, .interval_s = 0.01},
                       device::make_empty_monitor("none"));
  while (sampler.process_alive())
    std::this_thread::yield();
  wait_for(sampler, sampler.latest().number + 2);
  EXPECT_FALSE(is_known(sampler.latest().host.cpu));
}

}  // namespace
}  // namespace seda::diagnose
