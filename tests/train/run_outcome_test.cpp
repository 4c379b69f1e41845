// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_outcome.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace seda::train {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

RunOutcome concluded(uint64_t run_updates, const std::function<void(RunEnd&)>& change) {
  RunOutcome outcome;
  outcome.run_updates = run_updates;
  RunEnd end;
  end.best_validation = kNone;
  change(end);
  conclude(outcome, end);
  return outcome;
}

TEST(RunOutcome, HostSyncsAreOfTheStepsAfterTheFirst) {
  const auto eight = [](RunEnd& end) { end.host_syncs = 8; };
  EXPECT_EQ(concluded(5, eight).host_syncs_per_step, 2.0);
  EXPECT_EQ(concluded(1, eight).host_syncs_per_step, 0.0);
}

TEST(RunOutcome, WithoutValidationThereIsNoBest) {
  EXPECT_EQ(concluded(1, [](RunEnd&) {}).best_validation, std::nullopt);
  EXPECT_EQ(concluded(1, [](RunEnd& end) { end.best_validation = 1.5; }).best_validation, 1.5);
}

TEST(RunOutcome, WithNothingLeftToDoTheCheckpointIsThatOfBefore) {
  EXPECT_TRUE(concluded(0, [](RunEnd&) {}).checkpoint.empty());
  EXPECT_EQ(concluded(0, [](RunEnd& end) { end.went_from = "run/step-7"; }).checkpoint,
            "run/step-7");
  const auto written = [](RunEnd& end) {
    end.written = "run/step-9";
    end.went_from = "run/step-7";
  };
  EXPECT_EQ(concluded(2, written).checkpoint, "run/step-9");
}

TEST(RunOutcome, FaultsAreListed) {
  RunOutcome outcome;
  outcome.faults = {{"a", "audio_empty", "a.wav: no frames"}};
  EXPECT_EQ(faults_json(outcome).dump(),
            R"([{"id":"a","code":"audio_empty","evidence":"a.wav: no frames"}])");
}

}  // namespace
}  // namespace seda::train
