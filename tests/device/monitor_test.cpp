// SPDX-License-Identifier: Apache-2.0
#include "seda/device/monitor.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/error.h"
#include "seda/base/shared_library.h"
#include "seda/device/platform.h"
#include "tests/device/fake_nvml.h"
#include "tests/support/manual_clock.h"

namespace seda::device {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::ManualClock;

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

/// A fake library, which lies beside the test program.
std::filesystem::path library_path(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
}

/// A monitor over one of the fake libraries, and the hand on its answers.
class FakeNvml {
 public:
  explicit FakeNvml(const char* name)
      : path_(library_path(name)),
        library_(path_),
        state_(library_.function<FakeNvmlState*()>("fake_nvml_state")()) {
    *state_ = FakeNvmlState();
  }

  FakeNvmlState& state() const { return *state_; }
  std::unique_ptr<Monitor> make() { return make_nvml_monitor(path_, &clock_); }
  void advance_ms(int64_t by) { clock_.advance_ns(by * 1'000'000); }

 private:
  std::string path_;
  SharedLibrary library_;
  FakeNvmlState* state_;
  ManualClock clock_;
};

class NvmlMonitor : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(library_path("libfake_nvml.so"))) {
      GTEST_SKIP() << "libfake_nvml.so is not beside the test program";
    }
    nvml_.emplace("libfake_nvml.so");
  }

  FakeNvmlState& state() { return nvml_->state(); }

  std::optional<FakeNvml> nvml_;
};

TEST_F(NvmlMonitor, NamesDriverAndVersions) {
  const auto driver = nvml_->make()->driver();
  EXPECT_EQ(driver.driver_version, "580.65.06");
  EXPECT_EQ(driver.cuda_version, "13.0");
}

TEST_F(NvmlMonitor, DescribesEachGpu) {
  const auto monitor = nvml_->make();
  ASSERT_EQ(monitor->gpu_count(), 2);
  EXPECT_THAT(monitor->absence(), IsEmpty());
  const GpuInfo info = monitor->info(1);
  EXPECT_EQ(info.index, 1);
  EXPECT_EQ(info.name, "NVIDIA Fake 1000");
  EXPECT_EQ(info.pci_bus_id, "00000000:1B:00.0");
  EXPECT_EQ(info.memory_total_bytes, 80 * kGibibyte);
  EXPECT_EQ(info.sm_clock_max_mhz, 1980);
  EXPECT_EQ(info.power_limit_w, 700.0);
  EXPECT_EQ(info.pcie_generation_max, 5);
  EXPECT_EQ(info.pcie_width_max, 16);
}

TEST_F(NvmlMonitor, SamplesInOurUnits) {
  const GpuSample sample = nvml_->make()->sample(0);
  EXPECT_DOUBLE_EQ(sample.utilization.value(), 0.87);
  EXPECT_EQ(sample.memory_used_bytes, 10 * kGibibyte) << "without the driver's own share";
  EXPECT_EQ(sample.sm_clock_mhz, 1410);
  EXPECT_DOUBLE_EQ(sample.power_w.value(), 312.5);
  EXPECT_EQ(sample.temperature_c, 61);
  EXPECT_EQ(sample.pcie_generation, 4);
  EXPECT_EQ(sample.pcie_width, 8);
}

TEST_F(NvmlMonitor, ThrottleReasonsAreWords) {
  const auto monitor = nvml_->make();
  EXPECT_THAT(monitor->sample(0).throttle_reasons.value(), IsEmpty());
  EXPECT_EQ(monitor->sample(0).throttled, false);
  state().clock_reasons = 0x1;
  EXPECT_THAT(monitor->sample(0).throttle_reasons.value(), ElementsAre("idle"));
  EXPECT_EQ(monitor->sample(0).throttled, false) << "an idle GPU is not throttled";
  state().clock_reasons = 0x4 | 0x40 | 0x8000;
  EXPECT_THAT(monitor->sample(0).throttle_reasons.value(),
              ElementsAre("power cap", "hardware thermal slowdown", "reason 0x8000"));
  EXPECT_EQ(monitor->sample(0).throttled, true);
}

TEST_F(NvmlMonitor, ActivityIsTheDifferenceOfTwoSamples) {
  const auto monitor = nvml_->make();
  EXPECT_EQ(monitor->sample(0).activity, std::nullopt) << "one sample has no difference";
  nvml_->advance_ms(250);
  const auto activity = monitor->sample(0).activity;
  ASSERT_TRUE(activity);
  EXPECT_DOUBLE_EQ(activity->sm.value(), 0.75);
  EXPECT_DOUBLE_EQ(activity->busy.value(), 0.01);
  EXPECT_DOUBLE_EQ(activity->pcie_tx_bytes_per_s.value(), 20.0 * (1 << 20));
  EXPECT_DOUBLE_EQ(activity->pcie_rx_bytes_per_s.value(), 21.0 * (1 << 20));
}

TEST_F(NvmlMonitor, ACounterThatTheChipRefusesIsEmptyAndTheOthersAreNot) {
  state().gpm_refused_metric = 20;  // PCIe out
  const auto monitor = nvml_->make();
  monitor->sample(0);
  nvml_->advance_ms(250);
  const auto activity = monitor->sample(0).activity;
  ASSERT_TRUE(activity);
  EXPECT_EQ(activity->pcie_tx_bytes_per_s, std::nullopt);
  EXPECT_TRUE(activity->pcie_rx_bytes_per_s.has_value());
}

TEST_F(NvmlMonitor, AChipWithoutCountersGivesNoActivity) {
  state().gpm_supported = false;
  const auto monitor = nvml_->make();
  monitor->sample(0);
  nvml_->advance_ms(250);
  EXPECT_EQ(monitor->sample(0).activity, std::nullopt);
  EXPECT_EQ(state().gpm_samples_got, 0);
}

TEST_F(NvmlMonitor, ActivityIsRepeatedUntilTheChipRenewsIt) {
  const auto monitor = nvml_->make();
  monitor->sample(0);
  nvml_->advance_ms(100);
  monitor->sample(0);
  state().sm_percent = 10;
  nvml_->advance_ms(99);
  EXPECT_DOUBLE_EQ(monitor->sample(0).activity.value().sm.value(), 0.75);
  nvml_->advance_ms(1);
  EXPECT_DOUBLE_EQ(monitor->sample(0).activity.value().sm.value(), 0.1);
}

TEST_F(NvmlMonitor, RefusedActivitySampleStartsAnew) {
  const auto monitor = nvml_->make();
  monitor->sample(0);
  nvml_->advance_ms(100);
  state().gpm_sample_result = 3;
  EXPECT_EQ(monitor->sample(0).activity, std::nullopt);
  state().gpm_sample_result = 0;
  nvml_->advance_ms(100);
  EXPECT_EQ(monitor->sample(0).activity, std::nullopt);
  nvml_->advance_ms(100);
  EXPECT_TRUE(monitor->sample(0).activity.has_value());
}

TEST_F(NvmlMonitor, LinksAreNamedAsNvidiaSmiNamesThem) {
  const auto monitor = nvml_->make();
  EXPECT_EQ(to_string(monitor->link(1, 1)), "X");
  const std::pair<int, const char*> levels[] = {{0, "PIX"},   {10, "PIX"}, {20, "PXB"}, {30, "PHB"},
                                                {40, "NODE"}, {50, "SYS"}, {99, "N/A"}};
  for (const auto& [level, name] : levels) {
    state().topology_level = level;
    EXPECT_EQ(to_string(monitor->link(0, 1)), name);
  }
}

TEST_F(NvmlMonitor, NvlinksAreCountedDirectAndThroughSwitches) {
  const auto monitor = nvml_->make();
  state().direct_nvlinks = 4;
  EXPECT_EQ(to_string(monitor->link(0, 1)), "NV4");
  EXPECT_EQ(monitor->link(0, 1).path, LinkClass::pxb);
  state().direct_nvlinks = 0;
  state().switched_nvlinks = 12;
  EXPECT_EQ(to_string(monitor->link(0, 1)), "NV12");
}

TEST_F(NvmlMonitor, GpuIsFoundByItsBusIdInEitherForm) {
  const auto monitor = nvml_->make();
  EXPECT_EQ(find_gpu(*monitor, "0000:1B:00.0"), 1);
  EXPECT_EQ(find_gpu(*monitor, "00000000:1a:00.0"), 0);
  EXPECT_EQ(find_gpu(*monitor, "0001:1A:00.0"), std::nullopt);
  EXPECT_EQ(find_gpu(*monitor, ""), std::nullopt);
}

TEST_F(NvmlMonitor, GpuThatCannotBeOpenedIsListedWithoutValues) {
  state().unreadable_gpu = 0;
  const auto monitor = nvml_->make();
  ASSERT_EQ(monitor->gpu_count(), 2);
  EXPECT_EQ(monitor->info(0).name, "unreadable GPU");
  EXPECT_EQ(monitor->sample(0).utilization, std::nullopt);
  EXPECT_EQ(to_string(monitor->link(0, 1)), "N/A");
  EXPECT_TRUE(monitor->sample(1).utilization.has_value());
}

TEST_F(NvmlMonitor, IndexOutOfRangeIsAnError) {
  const auto monitor = nvml_->make();
  for (const int gpu : {-1, 2}) {
    EXPECT_THROW(monitor->info(gpu), Error);
    EXPECT_THROW(monitor->sample(gpu), Error);
    EXPECT_THROW(monitor->link(0, gpu), Error);
  }
}

TEST_F(NvmlMonitor, NoGpuIsSaid) {
  state().gpus = 0;
  const auto monitor = nvml_->make();
  EXPECT_EQ(monitor->gpu_count(), 0);
  EXPECT_THAT(monitor->absence(), HasSubstr("shows no GPU"));
}

TEST_F(NvmlMonitor, EverythingTakenIsGivenBack) {
  nvml_->make()->sample(0);
  EXPECT_EQ(state().inits, 1);
  EXPECT_EQ(state().shutdowns, 1);
  EXPECT_EQ(state().gpm_samples, 0);
}

TEST_F(NvmlMonitor, LibraryThatDoesNotStartGivesAnEmptyMonitorWithItsWords) {
  state().init_result = 9;
  EXPECT_THROW(nvml_->make(), Error);
  EXPECT_EQ(state().shutdowns, 0);
  const auto monitor = make_monitor(library_path("libfake_nvml.so"));
  EXPECT_EQ(monitor->gpu_count(), 0);
  EXPECT_THAT(monitor->absence(), HasSubstr("Driver Not Loaded"));
}

TEST_F(NvmlMonitor, OldDriverLeavesFieldsEmptyAndNothingFails) {
  FakeNvml old("libfake_nvml_old.so");
  old.state().clock_reasons = 0x20;
  const auto monitor = old.make();
  EXPECT_EQ(monitor->driver().cuda_version, "13.1") << "asked by the function's older name";
  monitor->sample(0);
  old.advance_ms(200);
  const GpuSample sample = monitor->sample(0);
  EXPECT_EQ(sample.activity, std::nullopt);
  EXPECT_EQ(sample.memory_used_bytes, 11 * kGibibyte);
  EXPECT_THAT(sample.throttle_reasons.value(), ElementsAre("thermal slowdown"));
  EXPECT_EQ(monitor->link(0, 1).nvlinks, 0);
}

TEST(Monitor, MissingLibraryGivesAnEmptyMonitorThatSaysWhy) {
  const auto monitor = make_monitor("libno_such_nvml.so.1");
  EXPECT_EQ(monitor->gpu_count(), 0);
  EXPECT_THAT(monitor->absence(), HasSubstr("libno_such_nvml.so.1"));
  EXPECT_THAT(monitor->driver().driver_version, IsEmpty());
  EXPECT_THROW(monitor->sample(0), Error);
  EXPECT_EQ(find_gpu(*monitor, "0000:1B:00.0"), std::nullopt);
}

TEST(Monitor, LibraryThatIsNoNvmlIsRefused) {
  EXPECT_THAT(make_monitor("libc.so.6")->absence(), HasSubstr("no usable NVML"));
}

TEST(RealMonitor, ReadsEveryGpuOfTheMachine) {
  const auto monitor = make_monitor();
  if (monitor->gpu_count() == 0) GTEST_SKIP() << monitor->absence();
  EXPECT_FALSE(monitor->driver().driver_version.empty());
  EXPECT_FALSE(monitor->driver().cuda_version.empty());
  for (int gpu = 0; gpu < monitor->gpu_count(); ++gpu) {
    const GpuInfo info = monitor->info(gpu);
    const GpuSample sample = monitor->sample(gpu);
    EXPECT_FALSE(info.name.empty());
    ASSERT_TRUE(info.memory_total_bytes && sample.memory_used_bytes);
    EXPECT_LE(*sample.memory_used_bytes, *info.memory_total_bytes);
    EXPECT_LE(sample.utilization.value_or(0), 1.0);
    EXPECT_LE(sample.sm_clock_mhz.value_or(0), info.sm_clock_max_mhz.value_or(1 << 20));
    EXPECT_EQ(to_string(monitor->link(gpu, gpu)), "X");
  }
}

TEST(RealMonitor, FindsEachCudaDevice) {
  const auto monitor = make_monitor();
  const Platform platform;
  if (monitor->gpu_count() == 0) GTEST_SKIP() << monitor->absence();
  if (!platform.has(cuda(0))) GTEST_SKIP() << platform.cuda_absence();
  const auto properties = platform.properties(cuda(0));
  const auto gpu = find_gpu(*monitor, properties.pci_bus_id);
  ASSERT_TRUE(gpu) << properties.pci_bus_id;
  EXPECT_EQ(monitor->info(*gpu).name, properties.name);
}

TEST(RealMonitor, ActivityComesWhereTheChipCountsIt) {
  using namespace std::chrono_literals;
  const auto monitor = make_monitor();
  if (monitor->gpu_count() == 0) GTEST_SKIP() << monitor->absence();
  const Platform platform;
  if (!platform.has(cuda(0))) GTEST_SKIP() << platform.cuda_absence();
  const auto properties = platform.properties(cuda(0));
  if (properties.compute_major < 9) GTEST_SKIP() << properties.name << " counts no activity";
  std::optional<GpuActivity> activity;
  for (int tries = 0; tries < 200 && !activity; ++tries) {
    activity = monitor->sample(0).activity;
    std::this_thread::sleep_for(10ms);
  }
  ASSERT_TRUE(activity && activity->sm);
  EXPECT_GE(*activity->sm, 0.0);
  EXPECT_LE(*activity->sm, 1.01);
}

}  // namespace
}  // namespace seda::device
