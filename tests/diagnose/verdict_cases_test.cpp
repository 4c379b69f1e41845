// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/diagnose/verdict.h"
#include "tests/diagnose/situations.h"

namespace seda::diagnose {
namespace {

using testing::IsEmpty;
using testing::Not;
using testing_support::set_work;
using testing_support::slow_down;
using testing_support::stage;
using testing_support::starve;
using testing_support::steady_situation;
using testing_support::step_profile;
using testing_support::unpace;

struct Case {
  std::string name;
  Cause cause;
  std::function<void(Situation&)> change;  ///< Of the steady situation.
};

/// The corpus was opened twice in a row; the second time so many of its clips were made anew.
void open_twice(Situation& situation, double open_again_s, uint64_t made_again,
                uint64_t clips = 100) {
  situation.start = StartUp{.cache_state = "built",
                            .open_s = 9,
                            .first_batch_s = 0.1,
                            .reasons = {{"no cache", clips}},
                            .state_again = made_again > 0 ? "built" : "loaded",
                            .open_again_s = open_again_s,
                            .reasons_again = {{"audio changed", made_again}},
                            .made_again = made_again,
                            .clips = clips};
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
    {"ReferenceLoaderThatKeepsUp", Cause::healthy, [](Situation& s) { s.settings.native = false; }},
    {"ReferenceLoaderThatIsMostlyText", Cause::slow_text,
     [](Situation& s) {
       s.settings.native = false;
       starve(s);
       stage(s, "text").work.busy_s = 3;
       s.native_rate = 1600;
     }},
    {"ReferenceLoaderAsFastAsTheOther", Cause::healthy,
     [](Situation& s) {
       s.settings.native = false;
       unpace(s);
       s.native_rate = 801;
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
       s.pinned_rate = 1600;
     }},
    {"PageableMemoryThatCostsNothing", Cause::healthy,
     [](Situation& s) {
       s.settings.data_on_gpu = true;
       s.settings.pinned = false;
       s.pinned_rate = 805;
     }},
    {"PageableMemoryAndNobodyWaits", Cause::healthy,
     [](Situation& s) {
       s.settings.data_on_gpu = true;
       s.settings.pinned = false;
     }},
    {"PageableMemoryOnTheCpuIsFine", Cause::healthy,
     [](Situation& s) { s.settings.pinned = false; }},
    {"OneBatchFarLongerThanTheRest", Cause::slow_clip,
     [](Situation& s) {
       s.batches[50].seconds = 0.5;
       s.loader.seconds += 0.48;
       s.stall = 0.19;
     }},
    {"OneBatchThatALargerRingWouldCover", Cause::ring_too_small,
     [](Situation& s) {
       s.batches[50].seconds = 0.25;
       s.loader.seconds += 0.23;
       s.stall = 0.11;
     }},
    {"OneBatchThatALargerRingWouldCoverBesideALargeOne", Cause::ring_too_small,
     [](Situation& s) {
       s.batches[20] = {.seconds = 0.5, .clips = 320};
       s.batches[50].seconds = 0.25;
       s.loader.seconds += 0.71;
       s.stall = 0.11;
     }},
    {"ABatchOfFarMoreClipsIsSlowBeyondTheirNumber", Cause::slow_clip,
     [](Situation& s) {
       s.batches[50] = {.seconds = 5, .clips = 320};
       s.loader.seconds += 4.98;
       s.stall = 0.7;
     }},
    {"OneBatchThatALargerRingDidNotCover", Cause::slow_clip,
     [](Situation& s) {
       s.batches[50].seconds = 0.25;
       s.loader.seconds += 0.23;
       s.stall = 0.11;
       s.larger_ring_rate = 700;
     }},
    {"OneBatchALittleLonger", Cause::healthy, [](Situation& s) { s.batches[50].seconds = 0.09; }},
    {"ManySlowBatchesAreNoSlowClip", Cause::too_few_workers,
     [](Situation& s) {
       for (size_t i = 0; i < 100; i += 5)
         s.batches[i].seconds = 0.5;
       starve(s);
       set_work(s, 1, 0.5, 2.4);
       s.machine.process_cores = 1.9;
     }},
    {"FewBatchesOfFarMoreClipsAreNoSlowClip", Cause::slow_storage,
     [](Situation& s) {
       for (size_t i = 0; i < 100; i += 20)
         s.batches[i] = {.seconds = 0.5, .clips = 320};
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
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
    {"PaddingThatOtherShapesWouldNotSave", Cause::healthy,
     [](Situation& s) {
       s.loader.real_frames = 660;
       s.best_padding = 0.3;
     }},
    {"PaddingThatOtherShapesWouldSave", Cause::padding_waste,
     [](Situation& s) {
       s.loader.real_frames = 660;
       s.best_padding = 0.04;
     }},
    {"MoreWorkersBringNothing", Cause::slow_decode,
     [](Situation& s) {
       starve(s);
       set_work(s, 0.8, 0.2, 2.9);
       s.machine.process_cores = 1.9;
       s.more_workers = 4;
       s.more_workers_rate = 810;
     }},
    {"WorkersWaitForRareReads", Cause::ring_too_small,
     [](Situation& s) {
       starve(s);
       set_work(s, 1.5, 0, 0.1);
       s.machine.process_cores = 0.05;
     }},
    {"ALargerRingBringsNothing", Cause::unknown,
     [](Situation& s) {
       starve(s);
       set_work(s, 0.5, 0.2, 1.0);
       s.machine.process_cores = 0.9;
       s.larger_ring_rate = 805;
     }},
    {"TheCacheIsMadeAnewEachTime", Cause::cache_rebuilt,
     [](Situation& s) { open_twice(s, 9, 100); }},
    {"TheCacheIsMadeOnce", Cause::healthy, [](Situation& s) { open_twice(s, 0.01, 0); }},
    {"AFewClipsAreMadeAnew", Cause::healthy, [](Situation& s) { open_twice(s, 0.2, 1); }},
    {"SomeClipsAreMadeAnewInNoTime", Cause::healthy, [](Situation& s) { open_twice(s, 0.03, 20); }},
    {"HalfOfTheClipsAreMadeAnewInNoTime", Cause::cache_rebuilt,
     [](Situation& s) { open_twice(s, 0.03, 50); }},
    {"AClipOfATinyCorpusIsMadeAnewInNoTime", Cause::healthy,
     [](Situation& s) { open_twice(s, 0.01, 1, 3); }},
    {"ACorpusWithoutClipsIsOpenedTwice", Cause::healthy,
     [](Situation& s) {
       open_twice(s, 0.2, 0, 0);
       s.start->state_again = "built";
     }},
    {"MemoryIsOut", Cause::memory_pressure,
     [](Situation& s) {
       starve(s);
       set_work(s, 3.5, 0.1, 0.3);
       s.machine.total_bytes = 16'000'000'000;
       s.machine.free_bytes = 100'000'000;
       s.machine.major_faults_per_s = 500;
     }},
    {"TheGpuMeetsItsLimits", Cause::gpu_throttled,
     [](Situation& s) {
       s.gpu =
           GpuUse{.samples = 40, .busy = 0.9, .throttled = 0.9, .clock = 0.6, .reasons = {"heat"}};
     }},
    {"TheGpuMeetsItsPowerLimitAtFullClock", Cause::healthy,
     [](Situation& s) {
       s.gpu = GpuUse{
           .samples = 40, .busy = 0.9, .throttled = 0.9, .clock = 0.97, .reasons = {"power cap"}};
     }},
    {"AGpuThatCannotBeUsed", Cause::no_gpu,
     [](Situation& s) { s.unusable_gpu = "the driver is too old"; }},
    {"TheHostWaitsEachStep", Cause::host_sync,
     [](Situation& s) {
       s.step = step_profile();
       s.step->host_syncs = 1;
       s.step->gpu_idle_share = 0.3;
     }},
    {"TheHostWaitsButTheGpuHasWork", Cause::healthy,
     [](Situation& s) {
       s.step = step_profile();
       s.step->host_syncs = 1;
       s.step->gpu_idle_share = 0.01;
     }},
    {"AGraphIsFarFaster", Cause::launch_bound,
     [](Situation& s) {
       s.step = step_profile();
       s.step->ceiling_s = *s.step->fused_s;
       s.step->as_graph_s = 0.008;
     }},
    {"AGraphIsALittleFasterAndTheHostIsTheLimit", Cause::launch_bound,
     [](Situation& s) {
       s.step = step_profile();
       s.step->ceiling_s = 0.022;
       s.step->host_s = 0.0215;
       s.step->as_graph_s = 0.02;
     }},
    {"AGraphIsALittleFasterAndTheGpuIsTheLimit", Cause::healthy,
     [](Situation& s) {
       s.step = step_profile();
       s.step->ceiling_s = 0.022;
       s.step->as_graph_s = 0.02;
     }},
    {"FusedKernelsAreOffInAGraph", Cause::healthy,
     [](Situation& s) {
       s.step = step_profile();
       s.step->ceiling_s = 0.03;
       s.step->with_fused_s = 0.02;
     }},
    {"LargerStepsAreMoreEfficient", Cause::batch_too_small,
     [](Situation& s) {
       s.step = step_profile();
       s.step->batch_size = 2;
       s.step->clips = 2;
       s.step->frames = 800;
       s.step->ceiling_frames = 800;
       s.step->larger_batch = 16;
       s.step->larger_frames = 6400;
       s.step->larger_batch_s = 0.025;
     }},
    {"LargerBudgetsOfFramesAreMoreEfficient", Cause::batch_too_small,
     [](Situation& s) {
       s.step = step_profile();
       s.step->batch_size = 0;
       s.step->batch_frames = 1000;
       s.step->clips = 2.5;
       s.step->frames = 900;
       s.step->ceiling_frames = 900;
       s.step->larger_batch = 2000;
       s.step->larger_frames = 1980;
       s.step->larger_batch_s = 0.025;
     }},
    {"LargerStepsTakeAsMuchLonger", Cause::healthy,
     [](Situation& s) {
       s.step = step_profile();
       s.step->larger_batch = 32;
       s.step->larger_frames = 12800;
       s.step->larger_batch_s = 0.039;
     }},
    {"LargerStepsWereTimedOnShorterClips", Cause::healthy,
     [](Situation& s) {
       s.step = step_profile();
       s.step->larger_batch = 32;
       s.step->larger_frames = 4800;  // 32 of the shortest clips, as many frames as 12 have
       s.step->larger_batch_s = 0.012;
     }},
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

}  // namespace
}  // namespace seda::diagnose
