// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/watch/metrics_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/diagnose/watch/histories.h"

namespace seda::diagnose {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MetricsText, GpusCarryLabelsAndBaseUnits) {
  const std::string text = metrics_text(machine_with_gpu(), quiet_sample(1));
  EXPECT_THAT(text, HasSubstr("# HELP seda_gpu_utilization_ratio "));
  EXPECT_THAT(text, HasSubstr("# TYPE seda_gpu_utilization_ratio gauge\n"));
  EXPECT_THAT(text,
              HasSubstr("seda_gpu_utilization_ratio{gpu=\"0\",name=\"NVIDIA Fake 1000\"} 0.9\n"));
  EXPECT_THAT(text, HasSubstr("seda_gpu_sm_clock_hertz{gpu=\"0\",name=\"NVIDIA Fake 1000\"} "
                              "1900000000\n"));
  EXPECT_THAT(text, HasSubstr("seda_machine_cores 8\n"));
}

TEST(MetricsText, UnknownIsLeftOutWithItsHead) {
  WatchSample sample = quiet_sample(1);
  sample.gpus[0].power_w = kUnknown;
  sample.host.read_bytes_per_s = kUnknown;
  const std::string text = metrics_text(machine_with_gpu(), sample);
  EXPECT_THAT(text, Not(HasSubstr("seda_gpu_power_watts")));
  EXPECT_THAT(text, Not(HasSubstr("seda_process_read_bytes_per_second")));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

TEST(MetricsText, WithoutGpuThereIsACountOfZero) {
  EXPECT_THAT(metrics_text(machine_without_gpu(), {}), HasSubstr("seda_gpu_count 0\n"));
}

TEST(MetricLabel, IsEscaped) {
  EXPECT_EQ(metric_label("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
  EXPECT_EQ(metric_label("\xff"), "\uFFFD");
}

}  // namespace
}  // namespace seda::diagnose
