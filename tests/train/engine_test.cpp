// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/base/error.h"
#include "seda/train/safetensors.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"
#include "tests/train/small_engine.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::TemporaryFolder;
using testing::Each;
using testing::ElementsAreArray;
using testing::Gt;
using testing::HasSubstr;
using testing::SizeIs;
using namespace testing_support;

class EngineTest : public testing::Test {
 protected:
  void SetUp() override { torch::set_num_threads(1); }

  Place place_;
};

/// A state on the disk.
struct Saved {
  explicit Saved(Engine& engine) {
    const EngineState state = engine.state();
    write_safetensors(folder.path() / "training.safetensors", state.training);
    write_safetensors(folder.path() / "model.safetensors", state.average);
  }
  SafetensorsFile training() const {
    return SafetensorsFile(folder.path() / "training.safetensors");
  }
  SafetensorsFile average() const { return SafetensorsFile(folder.path() / "model.safetensors"); }

  TemporaryFolder folder;
};

/// Every byte of a state, by name.
std::map<std::string, std::string> content(Engine& engine) {
  const EngineState state = engine.state();
  std::map<std::string, std::string> all;
  for (const auto* views : {&state.training, &state.average}) {
    for (const TensorView& view : *views)
      all[view.name] = {reinterpret_cast<const char*>(view.bytes.data()), view.bytes.size()};
  }
  return all;
}

TEST_F(EngineTest, LearnsABatchByHeart) {
  EngineOptions options = small_options(place_);
  options.model.dropout = 0;
  const auto engine = make_torch_engine(options);
  const feed::Batch batch = make_batch(place_, kShape);
  const float before = engine->evaluate(batch, 1).total;
  const auto losses = train(*engine, batch, 0, 150, 3e-3);
  ASSERT_THAT(losses, SizeIs(150));
  EXPECT_LT(losses.back().total, 0.8F * losses.front().total);
  EXPECT_LT(engine->evaluate(batch, 1).total, 0.8F * before);
  EXPECT_TRUE(losses.back().finite);
  EXPECT_GT(losses.back().gradient_norm, 0);
  EXPECT_NEAR(losses[0].total, losses[0].prior + losses[0].duration + losses[0].flow, 1e-5);
}

TEST_F(EngineTest, StepsInPhasesLearnTheSame) {
  const auto engine = make_torch_engine(small_options(place_));
  const auto timed = make_torch_engine(small_options(place_));
  const feed::Batch batch = make_batch(place_, kShape);
  for (uint64_t update = 0; update < 3; ++update) {
    engine->step(batch, {.update = update, .lr = 1e-3});
    timed->step_in_phases(batch, {.update = update, .lr = 1e-3});
  }
  EXPECT_THAT(timed->collect(0), SizeIs(3));
  EXPECT_EQ(content(*timed), content(*engine));
}

TEST_F(EngineTest, EveryPhaseOfAStepTakesTime) {
  const auto engine = make_torch_engine(small_options(place_));
  const feed::Batch batch = make_batch(place_, kShape);
  engine->step_in_phases(batch, {});
  engine->step_in_phases(batch, {});
  const auto steps = engine->collect_phases();
  ASSERT_THAT(steps, SizeIs(2));
  for (const PhaseTimes& step : steps) {
    EXPECT_THAT(step.device_s, Each(Gt(0)));
    EXPECT_THAT(step.host_s, Each(Gt(0)));
  }
  EXPECT_THAT(engine->collect_phases(), SizeIs(0));
}

TEST_F(EngineTest, HeedsInTheMiddleOfAStepBothWays) {
  const feed::Batch batch = make_batch(place_, kShape);
  int calls = 0;
  int last = 0;  // which call throws; 0: none
  const auto engine_that_heeds = [&] {
    EngineOptions options = small_options(place_);
    options.heed = [&] {
      if (++calls == last) throw_error(ErrorKind::interrupted, "enough");
    };
    calls = 0;
    return make_torch_engine(options);
  };
  engine_that_heeds()->step(batch, {});
  const int all = calls;
  ASSERT_EQ(all, 1 + 2 * (3 + 2 + 1 + 2)) << "before it, then twice: prenet and two blocks";
  for (last = 1; last <= all; ++last) {
    const auto engine = engine_that_heeds();
    EXPECT_EQ(error_message([&] { engine->step(batch, {}); }), "enough");
    EXPECT_EQ(calls, last) << "nothing was computed after it";
  }
}

TEST_F(EngineTest, ComputesInBf16Too) {
  EngineOptions options = small_options(place_);
  options.mixed_precision = true;
  const auto engine = make_torch_engine(options);
  const feed::Batch batch = make_batch(place_, kShape);
  const auto losses = train(*engine, batch, 0, 60, 3e-3);
  EXPECT_LT(losses.back().total, losses.front().total);
  const ModelFacts facts = engine->facts();
  EXPECT_GT(facts.parameters, 1000);
  EXPECT_EQ(facts.weight_bytes, static_cast<uint64_t>(facts.parameters) * 2);
  EXPECT_EQ(facts.optimizer_bytes, static_cast<uint64_t>(facts.parameters) * 20);
}

TEST_F(EngineTest, PlainOperationsLearnTheSame) {
  const auto fused = make_torch_engine(small_options(place_));
  const feed::Batch batch = make_batch(place_, kShape);
  const auto expected = totals(train(*fused, batch, 0, 5));
  EngineOptions options = small_options(place_);
  options.fused = false;
  const auto plain = make_torch_engine(options);
  const auto found = totals(train(*plain, batch, 0, 5));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-4F);
}

TEST_F(EngineTest, SameSeedAndUpdatesGiveTheSameLosses) {
  const feed::Batch batch = make_batch(place_, kShape);
  const auto one = totals(train(*make_torch_engine(small_options(place_)), batch, 0, 4));
  EXPECT_EQ(one, totals(train(*make_torch_engine(small_options(place_)), batch, 0, 4)));
  EngineOptions other = small_options(place_);
  other.seed = 4;
  EXPECT_NE(one, totals(train(*make_torch_engine(other), batch, 0, 4)));
}

TEST_F(EngineTest, NoiseIsKeyedByTheUpdate) {
  const auto engine = make_torch_engine(small_options(place_));
  const feed::Batch batch = make_batch(place_, kShape);
  for (const uint64_t update : {7U, 7U, 8U})
    engine->step(batch, {.update = update, .part = 0, .lr = 0});
  const auto losses = engine->collect(0);
  EXPECT_EQ(losses[0].total, losses[1].total);
  EXPECT_NE(losses[0].total, losses[2].total);
}

TEST_F(EngineTest, OnlyTheLastPartUpdates) {
  EngineOptions options = small_options(place_);
  options.optimizer.accumulation = 2;
  const auto engine = make_torch_engine(options);
  const feed::Batch batch = make_batch(place_, kShape);
  const auto before = content(*engine);
  engine->step(batch, {.update = 0, .part = 0, .lr = 1e-3});
  EXPECT_EQ(content(*engine), before);
  engine->step(batch, {.update = 0, .part = 1, .lr = 1e-3});
  EXPECT_NE(content(*engine), before);
  const auto losses = engine->collect(0);
  EXPECT_EQ(losses[0].gradient_norm, 0);
  EXPECT_GT(losses[1].gradient_norm, 0);
}

TEST_F(EngineTest, LossesAreCollectedOnceInOrder) {
  const auto engine = make_torch_engine(small_options(place_));
  const feed::Batch batch = make_batch(place_, kShape);
  EXPECT_THAT(train(*engine, batch, 0, 3), SizeIs(3));
  EXPECT_THAT(engine->collect(0), SizeIs(0));
  EXPECT_THAT(train(*engine, batch, 3, 5), SizeIs(2));
}

TEST_F(EngineTest, NotANumberLatchesForGood) {
  const auto engine = make_torch_engine(small_options(place_));
  const feed::Batch good = make_batch(place_, kShape);
  feed::Batch bad = make_batch(place_, kShape);
  bad.arrays.mel[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(train(*engine, good, 0, 1)[0].finite);
  const auto before = content(*engine);
  engine->step(bad, {.update = 1, .part = 0, .lr = 1e-3});
  const auto losses = train(*engine, good, 2, 4);
  ASSERT_THAT(losses, SizeIs(3));
  EXPECT_FALSE(losses[0].finite);
  EXPECT_FALSE(losses[2].finite);
  EXPECT_EQ(content(*engine), before);
}

TEST_F(EngineTest, CheckedStepNamesWhatIsNotFinite) {
  EngineOptions options = small_options(place_);
  options.checked = true;
  const auto engine = make_torch_engine(options);
  feed::Batch bad = make_batch(place_, kShape);
  testing::internal::CaptureStderr();
  train(*engine, bad, 0, 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "torch warns of nothing";
  bad.arrays.mel[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_message([&] { train(*engine, bad, 1, 2); }), HasSubstr("loss 'prior'"));
}

TEST_F(EngineTest, GoesOnFromAStateBitForBit) {
  const feed::Batch batch = make_batch(place_, kShape);
  const auto whole = make_torch_engine(small_options(place_));
  train(*whole, batch, 0, 3);
  const Saved saved(*whole);
  const auto expected = totals(train(*whole, batch, 3, 7));

  EngineOptions options = small_options(place_);
  const auto resumed = make_torch_engine(options);
  train(*resumed, batch, 0, 1, 1e-1);
  resumed->restore(saved.training(), saved.average());
  EXPECT_EQ(totals(train(*resumed, batch, 3, 7)), expected);
  EXPECT_EQ(content(*resumed), content(*whole));
}

TEST_F(EngineTest, StateIsNamedAsTheWeightsAre) {
  const auto engine = make_torch_engine(small_options(place_));
  const EngineState state = engine->state();
  EXPECT_EQ(state.training.size(), 3 * state.average.size() + 1);
  EXPECT_EQ(state.training[0].name, "weights." + state.average[0].name);
  EXPECT_EQ(state.training.back().name, "steps");
}

TEST_F(EngineTest, StateOfAnotherModelIsRefusedWhole) {
  EngineOptions options = small_options(place_);
  options.model.feed_forward_size = 64;
  const Saved other(*make_torch_engine(options));
  options.model.feed_forward_size = 32;
  options.model.encoder_layers = 2;
  const Saved larger(*make_torch_engine(options));
  const auto engine = make_torch_engine(small_options(place_));
  const Saved own(*engine);
  const auto before = content(*engine);
  EXPECT_THAT(error_message([&] { engine->restore(other.training(), other.average()); }),
              HasSubstr("feed_forward"));
  EXPECT_THAT(error_message([&] { engine->restore(own.training(), larger.average()); }),
              HasSubstr("belongs to no weight"));
  EXPECT_THAT(error_message([&] { engine->restore(own.average(), own.average()); }),
              HasSubstr("belongs to no weight"));
  EXPECT_EQ(content(*engine), before);
}

TEST_F(EngineTest, EvaluationAndSpeechDoNotDisturbTraining) {
  const feed::Batch batch = make_batch(place_, kShape);
  const auto alone = make_torch_engine(small_options(place_));
  const auto expected = totals(train(*alone, batch, 0, 4));
  const auto engine = make_torch_engine(small_options(place_));
  auto found = totals(train(*engine, batch, 0, 2));
  engine->evaluate(batch, 5);
  engine->align(batch);
  engine->speak(std::vector{request({1, 2, 3})}, {.steps = 2});
  const auto rest = totals(train(*engine, batch, 2, 4));
  found.insert(found.end(), rest.begin(), rest.end());
  EXPECT_EQ(found, expected);
}

TEST_F(EngineTest, EvaluationDependsOnItsKeyAlone) {
  const feed::Batch batch = make_batch(place_, kShape);
  const auto engine = make_torch_engine(small_options(place_));
  train(*engine, batch, 0, 2);
  const float one = engine->evaluate(batch, 1).total;
  EXPECT_EQ(engine->evaluate(batch, 1).total, one);
  EXPECT_NE(engine->evaluate(batch, 2).total, one);
}

TEST_F(EngineTest, AlignmentGivesEveryFrameToAToken) {
  const feed::Batch batch = make_batch(place_, kShape);
  const auto engine = make_torch_engine(small_options(place_));
  const auto clips = engine->align(batch);
  ASSERT_THAT(clips, SizeIs(kShape.batch));
  const auto made = made_clips(kShape.batch, kShape);
  for (size_t i = 0; i < clips.size(); ++i) {
    EXPECT_THAT(clips[i].durations, SizeIs(made[i].tokens));
    EXPECT_THAT(clips[i].durations, Each(Gt(0)));
    EXPECT_EQ(clips[i].frames, made[i].frames);
    EXPECT_EQ(std::accumulate(clips[i].durations.begin(), clips[i].durations.end(), 0),
              clips[i].frames);
  }
}

TEST_F(EngineTest, SpeaksRequestsOfDifferentLengths) {
  const auto engine = make_torch_engine(small_options(place_));
  std::vector<model::SpeechRequest> requests(2);
  requests[0].tokens = {1, 2, 3, 4, 5};
  requests[1].tokens = {6, 7};
  requests[1].reference = {.n_mels = 8, .frames = 3, .values = std::vector<float>(24, -4.0F)};
  const auto spoken = engine->speak(requests, {.steps = 2});
  ASSERT_THAT(spoken, SizeIs(2));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_THAT(spoken[i].durations, SizeIs(requests[i].tokens.size()));
    EXPECT_EQ(spoken[i].mel.n_mels, 8);
    EXPECT_THAT(spoken[i].mel.values, SizeIs(8 * spoken[i].mel.frames));
    EXPECT_EQ(std::accumulate(spoken[i].durations.begin(), spoken[i].durations.end(), 0),
              spoken[i].mel.frames);
  }
}

TEST_F(EngineTest, RequestsThatTheModelHasNotAreRefused) {
  const auto engine = make_torch_engine(small_options(place_));
  const auto said = [&](const model::SpeechRequest& request) {
    return error_message([&] { engine->speak(std::span(&request, 1), {}); });
  };
  EXPECT_THAT(said({}), HasSubstr("expected tokens, found none"));
  EXPECT_THAT(said(request({1, kSymbols})), HasSubstr("tokens below 12, found 12"));
  EXPECT_THAT(said(request({1}, 8)), HasSubstr("a speaker below 8, found 8"));
  EXPECT_THAT(said(request({1}, 0, -1)), HasSubstr("a language below 1, found -1"));
  EXPECT_THAT(said(request({1}, 0, 0, {.n_mels = 9, .frames = 1, .values = {}})),
              HasSubstr("reference of 8 mels"));
}

TEST_F(EngineTest, AloneIsTheLargest) {
  const auto engine = make_torch_engine(small_options(place_));
  const std::vector<double> values = {1, -2, 3};
  EXPECT_THAT(engine->largest(values), ElementsAreArray(values));
  EXPECT_EQ(engine->memory_peak_bytes(), 0U);
  EXPECT_EQ(engine->graphs(), 0U);
}

TEST_F(EngineTest, OptionsThatCannotBeAreRefused) {
  EngineOptions options = small_options(place_);
  options.optimizer.accumulation = 0;
  EXPECT_THAT(error_message([&] { make_torch_engine(options); }), HasSubstr("accumulation"));
}

}  // namespace
}  // namespace seda::train
