// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_figures.h"

#include <gtest/gtest.h>

#include "seda/train/gpu_watch.h"

namespace seda::train {
namespace {

TEST(FigureCounter, AddsUpWhatStepsTook) {
  FigureCounter counter;
  counter.add({0.5, 0, 4}, 0.1, {.real = 300, .all = 400});
  counter.add({1.5, 1, 4}, 0.3, {.real = 500, .all = 600});
  counter.add({2.0, 1, 4}, 0.0, {.real = 400, .all = 600});
  const RunFigures figures = counter.figures();
  EXPECT_DOUBLE_EQ(figures.seconds, 4);
  EXPECT_DOUBLE_EQ(figures.batches_per_second, 0.75);
  EXPECT_DOUBLE_EQ(figures.clips_per_second, 3);
  EXPECT_DOUBLE_EQ(figures.frames_per_second, 300);
  EXPECT_DOUBLE_EQ(figures.stall, 0.1);
  EXPECT_DOUBLE_EQ(figures.padding, 0.25);
  EXPECT_DOUBLE_EQ(counter.buckets().at(1).seconds, 1.75);
  EXPECT_EQ(counter.buckets().at(1).batches, 2u);
}

TEST(FigureCounter, OfNothingIsNothing) {
  EXPECT_EQ(FigureCounter().figures().batches, 0u);
  EXPECT_EQ(FigureCounter().figures().stall, 0);
}

TEST(FigureCounter, KeepsTheLastStepsInTheirOrder) {
  FigureCounter counter;
  for (int i = 0; i < 5000; ++i)
    counter.add({i < 1000 ? 100.0 : 1.0, 0, 1}, 0, {.real = 1, .all = 1});
  EXPECT_EQ(counter.times().batches, 4096u);
  EXPECT_DOUBLE_EQ(counter.times().max, 100.0);
  for (int i = 0; i < 4096; ++i)
    counter.add({1.0, 0, 1}, 0, {.real = 1, .all = 1});
  EXPECT_DOUBLE_EQ(counter.times().max, 1.0);
}

std::optional<double> worst_stretch(const std::vector<double>& samples, size_t length) {
  WorstStretch stretch(length);
  for (const double sample : samples)
    stretch.add(sample);
  return stretch.mean();
}

TEST(WorstStretch, IsTheLowestMean) {
  EXPECT_FALSE(worst_stretch({}, 2).has_value());
  EXPECT_DOUBLE_EQ(worst_stretch({0.5}, 2).value(), 0.5);
  EXPECT_DOUBLE_EQ(worst_stretch({1, 0.2, 0.4, 1, 1}, 2).value(), 0.3);
  EXPECT_DOUBLE_EQ(worst_stretch({1, 1, 0, 1}, 3).value(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(worst_stretch({0.5, 0, 0.5, 1, 0.25, 0.75, 1, 1}, 3).value(), 1.0 / 3);
}

}  // namespace
}  // namespace seda::train
