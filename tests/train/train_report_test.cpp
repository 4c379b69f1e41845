// SPDX-License-Identifier: Apache-2.0
#include "seda/train/train_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/train/vocoder_report.h"

namespace seda::train {
namespace {

TEST(TrainReport, WhatComesOfTimedStepsIsNullWhereNoneWasTimed) {
  TrainReport report;
  report.run_updates = 1;
  report.roles.model = device::cuda(0);
  report.gpus.emplace_back().device = device::cuda(0);
  report.gpus[0].utilization_mean = 0.5;
  const Json none = to_json(report);
  EXPECT_EQ(none["steps_per_second"], nullptr);
  EXPECT_EQ(none["step_ms"]["median"], nullptr);
  EXPECT_EQ(none["step_ms"]["p95"], nullptr);
  EXPECT_EQ(none["gpus"][0]["busy"], nullptr);
  EXPECT_EQ(none["gpus"][0]["utilization_mean"], 0.5);
  report.figures.batches = 4;
  report.figures.batches_per_second = 2;
  report.figures.stall = 0.25;
  const Json some = to_json(report);
  EXPECT_EQ(some["steps_per_second"], 2);
  EXPECT_EQ(some["gpus"][0]["busy"], 0.75);
}

TEST(VocoderReport, ASpeedIsNullWhereNoStepWasTimed) {
  VocoderReport report;
  report.step_seconds = 0.01;  // of log points, the first step among them
  report.sound_per_step_s = 3;
  EXPECT_EQ(to_json(report)["steps_per_second"], nullptr);
  EXPECT_EQ(to_json(report)["sound_seconds_per_second"], nullptr);
  EXPECT_EQ(report_text(report).find("speed"), std::string::npos);
  report.timed_updates = 1;
  EXPECT_EQ(to_json(report)["sound_seconds_per_second"], 300);
}

TEST(VocoderReport, CountsOneClipAsOne) {
  VocoderReport report;
  report.faults.resize(1);
  EXPECT_NE(report_text(report).find("faults     1 clip\n"), std::string::npos);
}

}  // namespace
}  // namespace seda::train
