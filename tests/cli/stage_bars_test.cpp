// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/stage_bars.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace seda::cli {
namespace {

using testing::HasSubstr;

feed::LoaderStatistics one_stage(const char* name, double busy, double in, double out) {
  feed::LoaderStatistics statistics;
  statistics.seconds = 2;
  statistics.workers = 2;
  feed::LoaderStage& stage = statistics.stages.emplace_back();
  stage.name = name;
  stage.work.busy_s = busy;
  stage.work.blocked_in_s = in;
  stage.work.blocked_out_s = out;
  return statistics;
}

TEST(StageBars, ShowSharesOfTheWorkersTime) {
  EXPECT_THAT(stage_bars(one_stage("read", 1, 1, 2)),
              HasSubstr("read      [#######<<<<<<<>>>>>>>>>>>>>>]   25 %"));
}

TEST(StageBars, LeaveRoomForWhatOtherStagesDid) {
  EXPECT_THAT(stage_bars(one_stage("mel", 2, 0, 0)),
              HasSubstr("[##############..............]   50 %"));
}

TEST(StageBars, OfADeviceAreOfItsOwnTime) {
  EXPECT_THAT(stage_bars(one_stage("upload", 1, 0, 0)), HasSubstr("]   50 %"));
}

TEST(StageBars, FitATerminal) {
  auto statistics = one_stage("features", 100, 50, 70);
  statistics.stages[0].work.bytes = uint64_t{1} << 42;
  statistics.stages[0].queue_size = 256;
  statistics.stages[0].queue_mean = 255.9;
  std::istringstream lines(stage_bars(statistics));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
}

}  // namespace
}  // namespace seda::cli
