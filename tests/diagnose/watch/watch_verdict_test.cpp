// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/watch_verdict.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/diagnose/watch/histories.h"

namespace seda::diagnose {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double kSeconds = 60;

Verdict judged(const WatchRecord& record) {
  return judge(record, summarize(record));
}

Verdict judged(const MakeSample& make, double seconds = kSeconds, unsigned seed = 1) {
  return judged(make_record(machine_with_gpu(), seconds, make, seed));
}

std::string evidence(const Verdict& verdict) {
  return fmt::format("{}", fmt::join(verdict.evidence, "\n"));
}

/// A GPU that is used to `use` with some noise, and a host changed by `change`.
MakeSample with_use(double use, const std::function<void(HostPoint&)>& change = {}) {
  return [=](double seconds, const std::function<double()>& noise) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus[0].utilization = share(use + 0.05 * noise());
    if (change) change(sample.host);
    return sample;
  };
}

TEST(WatchVerdict, BusyGpuIsHealthy) {
  const Verdict verdict = judged(with_use(0.93));
  EXPECT_EQ(verdict.cause, Cause::healthy);
  EXPECT_THAT(evidence(verdict), HasSubstr("GPU 0 was busy 9"));
  EXPECT_TRUE(verdict.remedies.empty());
}

TEST(WatchVerdict, NoHealthyRunRaisesAnAlarm) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const auto make = [seed](double seconds, const std::function<double()>& noise) {
      WatchSample sample = quiet_sample(seconds);
      const bool pause = std::fmod(seconds, 20) > 19.5;  // a checkpoint is written
      sample.gpus[0].utilization = pause ? 0.05 : share(0.78 + 0.01 * (seed % 20) + 0.1 * noise());
      sample.gpus[0].memory_bytes += 0.05 * kGibibyte * noise();
      sample.host.resident_bytes =
          (4 - 3 * std::exp(-seconds / 8)) * kGibibyte;  // fills its caches
      sample.host.cpu = 3 + noise();
      sample.host.at_full_speed = 2;
      sample.host.disk_busy = pause ? 0.95 : 0.05;
      sample.host.written_bytes_per_s = pause ? 5e8 : 0;
      return sample;
    };
    EXPECT_EQ(judged(make, 90, seed).cause, Cause::healthy) << seed;
  }
}

TEST(WatchVerdict, AlarmBeginsBelowTheBound) {
  EXPECT_EQ(judged(with_use(kWellFed + 0.03)).cause, Cause::healthy);
  EXPECT_NE(judged(with_use(kWellFed - 0.03)).cause, Cause::healthy);
}

TEST(WatchVerdict, PowerLimitAloneIsNoAlarm) {
  const Verdict verdict = judged([](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus[0].power_capped = 1;
    sample.gpus[0].sm_clock_mhz = 1400;
    return sample;
  });
  EXPECT_EQ(verdict.cause, Cause::healthy);
}

TEST(WatchVerdict, WarmUpIsLeftOut) {
  const auto make = [](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus[0].utilization = seconds < 20 ? 0 : 0.9;
    return sample;
  };
  const WatchRecord record = make_record(machine_with_gpu(), 60, make);
  EXPECT_NEAR(summarize(record).warm_up_s, 20, 0.3);
  EXPECT_EQ(judged(record).cause, Cause::healthy);
}

TEST(WatchVerdict, WarmUpIsAtMostHalfOfTheTime) {
  const auto make = [](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus[0].utilization = seconds < 50 ? 0 : 0.9;
    return sample;
  };
  const WatchRecord record = make_record(machine_with_gpu(), 60, make);
  EXPECT_DOUBLE_EQ(summarize(record).warm_up_s, 30);
  EXPECT_NE(judged(record).cause, Cause::healthy);
}

TEST(WatchVerdict, TooShortIsUnknownAndSaysSo) {
  EXPECT_EQ(judged(with_use(0.9), 1.9).cause, Cause::unknown);
  EXPECT_THAT(evidence(judged(with_use(0.3), 1.9)), HasSubstr("too short"));
  EXPECT_THAT(evidence(judged(with_use(0.3), 0)), HasSubstr("too short"));
  EXPECT_EQ(judged(with_use(0.9), 2.1).cause, Cause::healthy);
}

TEST(WatchVerdict, WaitingForStorageIsSlowStorage) {
  EXPECT_EQ(judged(with_use(0.3,
                            [](HostPoint& host) {
                              host.io_wait = 0.2;
                              host.disk_busy = 1;
                              host.read_bytes_per_s = 9e7;
                            }))
                .cause,
            Cause::slow_storage);
  const Verdict faults =
      judged(with_use(0.3, [](HostPoint& host) { host.major_faults_per_s = 80; }));
  EXPECT_EQ(faults.cause, Cause::slow_storage);
  EXPECT_THAT(evidence(faults), HasSubstr("80 page faults/s"));
  EXPECT_EQ(judged(with_use(0.3, [](HostPoint& host) { host.in_disk_wait = 2; })).cause,
            Cause::slow_storage);
}

TEST(WatchVerdict, DiskOfOthersIsNotBlamed) {
  EXPECT_NE(judged(with_use(0.3, [](HostPoint& host) { host.disk_busy = 1; })).cause,
            Cause::slow_storage);
}

TEST(WatchVerdict, CoresTakenByOthersIsContention) {
  const Verdict verdict = judged(with_use(0.4, [](HostPoint& host) {
    host.machine_cpu = 0.99;
    host.cpu = 2;
    host.at_full_speed = 1;
  }));
  EXPECT_EQ(verdict.cause, Cause::cpu_contention);
  EXPECT_THAT(evidence(verdict), HasSubstr("other processes used 5.9 of 8 cores"));
}

TEST(WatchVerdict, ProcessThatWantsNoCoreIsNotInContention) {
  const auto make = [](double core_wait) {
    return with_use(0.4, [=](HostPoint& host) {
      host.machine_cpu = 1;
      host.cpu = 0.1;
      host.core_wait = core_wait;
    });
  };
  EXPECT_EQ(judged(make(0)).cause, Cause::unknown);
  EXPECT_EQ(judged(make(0.8)).cause, Cause::cpu_contention);
}

TEST(WatchVerdict, OneThreadThatNeverWaitedIsNotInContention) {
  const auto make = [](double threads) {
    return with_use(0.4, [=](HostPoint& host) {
      host.machine_cpu = 1;
      host.cpu = 0.9;
      host.threads = threads;
      host.core_wait = 0;
    });
  };
  EXPECT_NE(judged(make(1)).cause, Cause::cpu_contention);
  EXPECT_EQ(judged(make(4)).cause, Cause::cpu_contention) << "its others may have waited";
}

TEST(WatchVerdict, OwnWorkOnAllCoresIsTheLoader) {
  const Verdict verdict = judged(with_use(0.4, [](HostPoint& host) {
    host.machine_cpu = 0.99;
    host.cpu = 7.6;
    host.at_full_speed = 7;
  }));
  EXPECT_EQ(verdict.cause, Cause::slow_decode);
}

TEST(WatchVerdict, WorkersAtTheirLimitBesideIdleCoresAreTooFew) {
  const Verdict verdict = judged(with_use(0.4, [](HostPoint& host) {
    host.machine_cpu = 0.3;
    host.cpu = 2.3;
    host.busiest_cpu = 1;
    host.at_full_speed = 2;
  }));
  EXPECT_EQ(verdict.cause, Cause::too_few_workers);
  EXPECT_THAT(evidence(verdict), HasSubstr("cores idled"));
}

TEST(WatchVerdict, SingleWorkerAtItsLimitIsTooFew) {
  EXPECT_EQ(judged(with_use(0.4,
                            [](HostPoint& host) {
                              host.machine_cpu = 0.16;
                              host.cpu = 1.2;
                              host.busiest_cpu = 1;
                              host.first_cpu = 0.2;
                              host.at_full_speed = 1;
                            }))
                .cause,
            Cause::too_few_workers);
}

/// One thread at its limit, reading so much.
MakeSample one_thread(double read_bytes_per_s, double swing) {
  return [=](double seconds, const std::function<double()>& noise) {
    WatchSample sample = quiet_sample(seconds);
    sample.host.machine_cpu = 0.13;
    sample.host.cpu = 1;
    sample.host.busiest_cpu = 1;
    sample.host.first_cpu = 1;
    sample.host.at_full_speed = 1;
    sample.host.called_bytes_per_s = read_bytes_per_s;
    const double phase = std::fmod(seconds, 2) < 1 ? swing : -swing;
    sample.gpus[0].utilization = share(0.45 + phase + 0.02 * noise());
    return sample;
  };
}

TEST(WatchVerdict, OneThreadThatReadsIsTooFewWorkers) {
  EXPECT_EQ(judged(one_thread(5e7, 0)).cause, Cause::too_few_workers);
}

TEST(WatchVerdict, OneThreadWithAGpuInPhasesIsTooFewWorkers) {
  const Verdict verdict = judged(one_thread(0, 0.4));
  EXPECT_EQ(verdict.cause, Cause::too_few_workers);
  EXPECT_THAT(evidence(verdict), AllOf(HasSubstr("swings between"), HasSubstr("every 2.0 s")));
}

TEST(WatchVerdict, OneThreadThatReadsNothingBesideASteadyGpuIsLaunchBound) {
  EXPECT_EQ(judged(one_thread(0, 0)).cause, Cause::launch_bound);
}

TEST(WatchVerdict, OneThreadInBetweenIsUnknownWithEvidence) {
  const Verdict verdict = judged(one_thread(0, 0.17));
  EXPECT_EQ(verdict.cause, Cause::unknown);
  EXPECT_THAT(evidence(verdict), HasSubstr("one thread of the main process"));
}

TEST(WatchVerdict, NothingBusyIsUnknownWithEvidence) {
  const Verdict verdict = judged(with_use(0.3));
  EXPECT_EQ(verdict.cause, Cause::unknown);
  EXPECT_THAT(evidence(verdict), HasSubstr("neither cores nor storage busy"));
}

TEST(WatchVerdict, HeatIsThrottling) {
  const auto make = [](double share_of_time) {
    return [=](double seconds, const std::function<double()>&) {
      WatchSample sample = quiet_sample(seconds);
      const bool slowed = std::fmod(seconds, 10) < 10 * share_of_time;
      sample.gpus[0].slowed = slowed ? 1 : 0;
      sample.gpus[0].sm_clock_mhz = slowed ? 900 : 1900;
      return sample;
    };
  };
  WatchRecord record = make_record(machine_with_gpu(), kSeconds, make(0.6));
  record.limits[0] = {"hardware thermal slowdown"};
  EXPECT_EQ(judged(record).cause, Cause::gpu_throttled);
  EXPECT_THAT(evidence(judged(record)), HasSubstr("thermal slowdown"));
  EXPECT_EQ(judged(make(0.1)).cause, Cause::healthy);
}

MakeSample leaking(double bytes_per_s, double until_s = 1e9) {
  return [=](double seconds, const std::function<double()>& noise) {
    WatchSample sample = quiet_sample(seconds);
    sample.host.resident_bytes +=
        bytes_per_s * std::min(seconds, until_s) + 0.01 * kGibibyte * noise();
    return sample;
  };
}

TEST(WatchVerdict, SteadyGrowthThatFillsMemoryIsPressure) {
  const Verdict verdict = judged(leaking(2e7), 120);
  EXPECT_EQ(verdict.cause, Cause::memory_pressure);
  EXPECT_THAT(evidence(verdict), AllOf(HasSubstr("grew steadily"), HasSubstr("full in")));
}

TEST(WatchVerdict, GrowthThatEndsIsNone) {
  const Verdict verdict = judged(leaking(4e7, 60), 120);
  EXPECT_EQ(verdict.cause, Cause::healthy);
  EXPECT_THAT(evidence(verdict), Not(HasSubstr("grew")));
}

TEST(WatchVerdict, ShortGrowthIsToldButNoCause) {
  const Verdict verdict = judged(leaking(2e7), 40);
  EXPECT_EQ(verdict.cause, Cause::healthy);
  EXPECT_THAT(evidence(verdict), HasSubstr("grew steadily"));
}

TEST(WatchVerdict, GpuMemoryThatGrowsIsPressure) {
  EXPECT_EQ(judged(
                [](double seconds, const std::function<double()>&) {
                  WatchSample sample = quiet_sample(seconds);
                  sample.gpus[0].memory_bytes += 5e7 * seconds;
                  return sample;
                },
                120)
                .cause,
            Cause::memory_pressure);
}

TEST(WatchVerdict, AlmostNoMemoryLeftIsPressure) {
  EXPECT_EQ(
      judged(with_use(0.4, [](HostPoint& host) { host.memory_available_bytes = 0.5 * kGibibyte; }))
          .cause,
      Cause::memory_pressure);
}

TEST(WatchVerdict, WithoutGpuSaysSoAndJudgesTheRest) {
  const auto make = [](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.host.io_wait = 0.3;
    return sample;
  };
  const Verdict verdict = judged(make_record(machine_without_gpu(), kSeconds, make));
  EXPECT_EQ(verdict.cause, Cause::no_gpu);
  EXPECT_THAT(evidence(verdict), AllOf(HasSubstr("no NVML library"), HasSubstr("slow_storage")));
}

TEST(WatchVerdict, GpuThatIsNeverUsedIsSaid) {
  const Verdict verdict = judged([](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus[0].utilization = 0;
    return sample;
  });
  EXPECT_EQ(verdict.cause, Cause::no_gpu);
  EXPECT_THAT(evidence(verdict), HasSubstr("none of 1 GPUs was used"));
}

TEST(WatchVerdict, UseThatTheDriverDoesNotTellIsSaid) {
  const Verdict verdict = judged([](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus[0] = {};
    return sample;
  });
  EXPECT_EQ(verdict.cause, Cause::no_gpu);
  EXPECT_THAT(evidence(verdict), HasSubstr("does not tell"));
}

TEST(WatchVerdict, BusiestGpuIsJudged) {
  WatchedMachine machine = machine_with_gpu();
  machine.gpus.push_back(machine.gpus[0]);
  machine.gpus[1].index = 1;
  const auto make = [](double seconds, const std::function<double()>&) {
    WatchSample sample = quiet_sample(seconds);
    sample.gpus.push_back(sample.gpus[0]);
    sample.gpus[0].utilization = 0.3;
    return sample;
  };
  const Verdict verdict = judged(make_record(machine, kSeconds, make));
  EXPECT_EQ(verdict.cause, Cause::healthy);
  EXPECT_THAT(evidence(verdict), HasSubstr("GPU 1 was busy"));
}

TEST(WatchVerdict, HostWithoutPermissionOrDiskIsStillJudged) {
  const Verdict verdict = judged(with_use(0.4, [](HostPoint& host) {
    host = {};
    host.machine_cpu = 0.1;
  }));
  EXPECT_EQ(verdict.cause, Cause::unknown);
}

}  // namespace
}  // namespace seda::diagnose
