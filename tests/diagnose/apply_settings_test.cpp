// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/apply_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/base/file.h"
#include "tests/support/temporary_folder.h"

namespace seda::diagnose {
namespace {

using seda::testing_support::TemporaryFolder;

TEST(WithSettings, ChangesWhatDiffersAndKeepsTheRest) {
  const std::string text =
      "# voice\ndata:\n  num_workers: 8  # all cores\n  batch_size: 16\nmodel:\n  size: tiny\n";
  EXPECT_EQ(with_settings(text, "seda.yaml", {.workers = 8, .slots = 3},
                          {.workers = 3, .prefetch = 4, .slots = 3}),
            "# voice\ndata:\n  num_workers: 3  # all cores\n  batch_size: 16\n  "
            "prefetch_buffer_size: 4\nmodel:\n  size: tiny\n");
}

TEST(WithSettings, OfEqualSettingsAreTheText) {
  EXPECT_EQ(with_settings("data: {}\n", "x", {}, {}), "data: {}\n");
}

TEST(BackUp, NumbersItsCopies) {
  const TemporaryFolder folder;
  folder.write("seda.yaml", "a: 1\n");
  EXPECT_EQ(back_up(folder / "seda.yaml"), folder / "seda.yaml.bak-1");
  EXPECT_EQ(back_up(folder / "seda.yaml"), folder / "seda.yaml.bak-2");
  EXPECT_EQ(read_file(folder / "seda.yaml.bak-1"), "a: 1\n");
}

Trial rates(std::initializer_list<double> values) {
  Trial out;
  for (const double rate : values)
    out.runs.push_back({.clips_per_second = rate});
  return out;
}

Trial stalls(std::initializer_list<double> values) {
  Trial out;
  for (const double stall : values)
    out.runs.push_back({.stall = stall});
  return out;
}

TEST(IsWorse, OnlyBeyondTheNoise) {
  EXPECT_FALSE(is_worse(rates({1000, 1000, 1000}), rates({990, 985, 990}), 0));
  EXPECT_TRUE(is_worse(rates({1000, 1000, 1000}), rates({950, 950, 950}), 0));
  EXPECT_FALSE(is_worse(rates({800, 1000, 1100}), rates({900, 900, 900}), 0));
  EXPECT_FALSE(is_worse(rates({1000, 1000}), rates({2000, 2000}), 0));
}

TEST(IsWorse, AtAStepGoesByTheStall) {
  EXPECT_TRUE(is_worse(stalls({0.0, 0.01}), stalls({0.1, 0.1}), 0.02));
  EXPECT_FALSE(is_worse(stalls({0.1, 0.1}), stalls({0.0, 0.0}), 0.02));
  EXPECT_FALSE(is_worse(stalls({0.0, 0.0}), stalls({0.01, 0.01}), 0.02));
}

}  // namespace
}  // namespace seda::diagnose
