// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/verdict.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/diagnose/situations.h"

namespace seda::diagnose {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::set_work;
using testing_support::stage;
using testing_support::steady_situation;

struct Case {
  std::string name;
  Cause cause;
  std::function<void(Situation&)> change;  ///< Of the steady situation.
};

void starve(Situation& situation) {
  situation.stall = 0.4;
}

void unpace(Situation& situation) {
  situation.step_s = 0;
  situation.stall = 1;
}

/// As if the same batches had taken so much longer.
void slow_down(Situation& situation, double factor) {
  situation.loader.seconds *= factor;
  for (double& seconds : situation.batch_s)
    seconds *= factor;
}

const Case kCases[] = {
    {"ConsumerIsTheBottleneck", Cause::healthy, [](Situation&) {}},
    {"StallBelowTheBand", Cause::healthy, [](Situation& s) { s.stall = 0.04; }},
    {"FastWithoutAConsumer", Cause::healthy,
     [](Situation& s) {
       unpace(s);
       set_work(s, 1.2, 0.2, 2.4);
       s.machine.process_cores = 1.9;
     }},
    {"BusyWorkersThatKeepUp", Cause::healthy, [](Situation& s) { set_work(s, 1, 1, 1.9); }},
    {"OthersUseCoresButWeKeepUp", Cause::healthy,
     [](Situation& s) {
       s.machine.other_cores = 7;
       s.machine.idle_cores = 0.2;
     }},
    {"ReferenceLoader", Cause::reference_path,
     [](Situation& s) {
       s.settings.native = false;
       starve(s);
     }},
    {"RawFiles", Cause::cache_off,
     [](Situation& s) {
       s.settings.from_cache = false;
       starve(s);
     }},
    {"RawFilesWithoutAConsumer", Cause::cache_off,
     [](Situation& s) {
       s.settings.from_cache = false;
       unpace(s);
     }},
    {"RawFilesThatKeepUp", Cause::healthy, [](Situation& s) { s.settings.from_cache = false; }},
    {"PageableMemory", Cause::unpinned_copies,
     [](Situation& s) {
       s.settings.data_on_gpu = true;
       s.settings.pinned = false;
     }},
    {"PageableMemoryOnTheCpuIsFine", Cause::healthy,
     [](Situation& s) { s.settings.pinned = false; }},
    {"OneBatchFarLongerThanTheRest", Cause::slow_clip,
     [](Situation& s) {
       s.batch_s[50] = 0.5;
       s.loader.seconds += 0.48;
       s.stall = 0.19;
     }},
    {"OneBatchALittleLonger", Cause::healthy, [](Situation& s) { s.batch_s[50] = 0.09; }},
    {"ManySlowBatchesAreNoSlowClip", Cause::too_few_workers,
     [](Situation& s) {
       for (size_t i = 0; i < 100; i += 5)
         s.batch_s[i] = 0.5;
       starve(s);
       set_work(s, 1, 0.5, 2.4);
       s.machine.process_cores = 1.9;
     }},
    {"OthersUseTheCores", Cause::cpu_contention,
     [](Situation& s) {
       starve(s);
       set_work(s, 1, 0.5, 2.4);
       s.machine.process_cores = 0.9;
       s.machine.waiting_cores = 0.9;
       s.machine.other_cores = 6;
       s.machine.idle_cores = 0.1;
     }},
    {"OthersUseTheCoresWhileWeWaitForBytes", Cause::slow_storage,
     [](Situation& s) {
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
       s.machine.process_cores = 0.1;
       s.machine.other_cores = 7.5;
       s.machine.idle_cores = 0.1;
     }},
    {"MostBytesCameFromStorage", Cause::cold_cache,
     [](Situation& s) {
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
       s.machine.storage_bytes = 60'000'000;
     }},
    {"WarmIsFaster", Cause::cold_cache,
     [](Situation& s) {
       unpace(s);
       slow_down(s, 2);
       s.warm_rate = 2000;
     }},
    {"WarmIsAsFast", Cause::healthy,
     [](Situation& s) {
       unpace(s);
       slow_down(s, 2);
       s.warm_rate = 420;
     }},
    {"WarmIsFasterButColdIsFastEnough", Cause::healthy, [](Situation& s) { s.warm_rate = 8000; }},
    {"WorkersWaitForBytes", Cause::slow_storage,
     [](Situation& s) {
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
     }},
    {"ACacheThatDoesNotFitIsNeverWarm", Cause::slow_storage,
     [](Situation& s) {
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
       s.machine.storage_bytes = 60'000'000;
       s.machine.free_bytes = 100'000'000;
     }},
    {"WorkersWaitForBytesWithoutAConsumer", Cause::slow_storage,
     [](Situation& s) {
       unpace(s);
       set_work(s, 3.5, 0.1, 0.3);
     }},
    {"ReadingThatComputesIsNoStorage", Cause::too_few_workers,
     [](Situation& s) {
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
       s.machine.process_cores = 1.9;
     }},
    {"BatchesAreHeldUpOnTheirWay", Cause::slow_transfer,
     [](Situation& s) {
       starve(s);
       s.settings.data_on_gpu = true;
       stage(s, "upload").work.busy_s = 0.1;
       stage(s, "transfer").work.busy_s = 1.8;
     }},
    {"DecodingIsSlow", Cause::slow_decode,
     [](Situation& s) {
       starve(s);
       slow_down(s, 3);
       set_work(s, 0.3, 11, 0.4);
       s.machine.process_cores = 1.95;
     }},
    {"DecodingIsSlowAndOthersUseTheCores", Cause::slow_decode,
     [](Situation& s) {
       starve(s);
       slow_down(s, 5);
       set_work(s, 0.3, 19, 0.4);
       s.machine.process_cores = 1;
       s.machine.waiting_cores = 0.9;
       s.machine.other_cores = 7;
       s.machine.idle_cores = 0;
     }},
    {"DecodingIsSlowWithoutAConsumer", Cause::slow_decode,
     [](Situation& s) {
       unpace(s);
       slow_down(s, 3);
       set_work(s, 0.3, 11, 0.4);
       s.machine.process_cores = 1.95;
     }},
    {"WorkersAreBusyAndCoresIdle", Cause::too_few_workers,
     [](Situation& s) {
       starve(s);
       set_work(s, 0.8, 0.2, 2.9);
       s.machine.process_cores = 1.9;
     }},
    {"BothSidesWait", Cause::ring_too_small,
     [](Situation& s) {
       starve(s);
       set_work(s, 0.5, 0.2, 1.0);
       s.machine.process_cores = 0.9;
     }},
    {"EveryCoreMakesMels", Cause::slow_decode,
     [](Situation& s) {
       starve(s);
       set_work(s, 0.2, 0.2, 3.5);
       s.machine.usable_cores = 2;
       s.machine.process_cores = 1.95;
       s.machine.idle_cores = 0;
     }},
    {"LargerBatchesAreFaster", Cause::batch_too_small,
     [](Situation& s) {
       unpace(s);
       s.settings.batch_size = 2;
       s.larger_batch = 16;
       s.larger_batch_rate = 2000;
     }},
    {"AThirdOfTheFramesIsPadding", Cause::padding_waste,
     [](Situation& s) { s.loader.real_frames = 660; }},
    {"NothingWasMeasured", Cause::unknown, [](Situation& s) { s.loader = {}; }},
    {"StarvedForNoReasonSeen", Cause::unknown,
     [](Situation& s) {
       starve(s);
       set_work(s, 0.1, 0.1, 0.2);
       stage(s, "mel").work.blocked_out_s = 0;
     }},
};

class VerdictCase : public testing::TestWithParam<Case> {};

TEST_P(VerdictCase, IsNamed) {
  Situation situation = steady_situation();
  GetParam().change(situation);
  const Verdict verdict = judge(situation);
  EXPECT_EQ(to_string(verdict.cause), to_string(GetParam().cause));
  EXPECT_THAT(verdict.evidence, Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(All, VerdictCase, testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(Verdict, PromisesOnlyGainsThatWereMeasured) {
  Situation situation = steady_situation();
  starve(situation);
  set_work(situation, 0.8, 0.2, 2.9);
  situation.machine.process_cores = 1.9;
  const Verdict without = judge(situation);
  EXPECT_THAT(without.remedies, Contains(Field(&Remedy::expected_gain, IsEmpty())));
  situation.more_workers = 6;
  situation.more_workers_rate = 1600;
  const Verdict with = judge(situation);
  EXPECT_THAT(with.remedies,
              Contains(Remedy{"data.num_workers: 6", "800 -> 1600 clips/s (2.0 x)"}));
}

TEST(Verdict, NeverAsksForMoreWorkersThanCores) {
  Situation situation = steady_situation();
  situation.stall = 0.95;
  set_work(situation, 0.8, 0.2, 2.9);
  situation.machine.process_cores = 1.9;
  EXPECT_EQ(judge(situation).remedies.front().change, "data.num_workers: 8");
}

TEST(Verdict, HasTheFieldsThatScriptsRelyOn) {
  Situation situation = steady_situation();
  situation.settings.native = false;
  const Json json = to_json(judge(situation));
  EXPECT_EQ(json["cause"], "reference_path");
  EXPECT_THAT(json["evidence"].get<std::string>(), HasSubstr("data.native_loading is false"));
  EXPECT_EQ(json["remedies"][0]["change"], "data.native_loading: true");
  EXPECT_TRUE(json["remedies"][0]["expected_gain"].is_null());
}

TEST(Cause, EachHasItsWord) {
  EXPECT_EQ(to_string(Cause::healthy), "healthy");
  EXPECT_EQ(to_string(Cause::cold_cache), "cold_cache");
  EXPECT_EQ(to_string(Cause::no_gpu), "no_gpu");
  EXPECT_EQ(to_string(Cause::unknown), "unknown");
}

}  // namespace
}  // namespace seda::diagnose
