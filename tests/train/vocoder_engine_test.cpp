// SPDX-License-Identifier: Apache-2.0
// A vocoder in training: its crops, its steps, its state, and what it becomes.
#include <cmath>
#include <map>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/audio/mel_cpu.h"
#include "seda/base/error.h"
#include "seda/device/copy.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/device/upload.h"
#include "seda/train/engine/crops.h"
#include "seda/train/engine/vocoder_engine_torch.h"
#include "seda/train/engine/vocoder_torch.h"
#include "seda/train/vocoder_checkpoint.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

/// Voices of a kind: harmonics in every band, whose pitch moves.
std::vector<int16_t> hum(size_t samples, double pitch) {
  std::vector<int16_t> out;
  out.reserve(samples);
  double phase = 0;
  for (size_t i = 0; i < samples; ++i) {
    phase += pitch * (1 + 0.2 * std::sin(static_cast<double>(i) * 1e-3));
    const double loud = 0.5 + 0.5 * std::sin(static_cast<double>(i) * 7e-4);
    double sum = 0;
    for (int harmonic = 1; harmonic <= 50; ++harmonic)
      sum += std::sin(harmonic * phase) / std::sqrt(harmonic);
    out.push_back(static_cast<int16_t>(std::lrint(3000 * loud * sum)));
  }
  return out;
}

/// Sounds in memory.
struct Sounds {
  explicit Sounds(const std::vector<size_t>& lengths) {
    for (size_t i = 0; i < lengths.size(); ++i) {
      const auto clip = hum(lengths[i], 0.04 + 0.01 * static_cast<double>(i));
      bank.begins.push_back(std::ssize(samples));
      bank.lengths.push_back(std::ssize(clip));
      samples.insert(samples.end(), clip.begin(), clip.end());
    }
    bank.samples = samples.data();
    bank.count = std::ssize(samples);
  }

  std::vector<int16_t> samples;
  SoundBank bank;
};

audio::MelOptions small_mel() {
  audio::MelOptions mel;
  mel.sample_rate = 8000;
  mel.n_fft = 256;
  mel.win_length = 256;
  mel.hop_length = 64;
  mel.n_mels = 20;
  mel.fmax = 4000;
  return mel;
}

VocoderEngineOptions small_vocoder(const SoundBank& sounds, device::StreamView stream) {
  VocoderEngineOptions options;
  options.network = {.blocks = 2, .width = 32, .hidden = 64, .mel = small_mel()};
  options.discriminators = {
      .periods = {2, 3}, .period_channels = 1, .spectrum_sizes = {256}, .spectrum_channels = 2};
  options.optimizer.clip_norm.reset();
  options.stream = stream;
  options.sounds = sounds;
  options.rows = 3;
  options.crop_frames = 16;
  options.judged_from = 4;
  options.seed = 11;
  return options;
}

std::vector<VocoderLosses> learn(VocoderEngine& engine, uint64_t first, uint64_t last,
                                 double lr = 2e-3) {
  for (uint64_t update = first; update < last; ++update)
    engine.step(update, lr);
  return engine.collect(0);
}

std::vector<float> totals(const std::vector<VocoderLosses>& losses) {
  std::vector<float> out;
  out.reserve(losses.size());
  for (const VocoderLosses& step : losses) {
    out.push_back(step.total);
    out.push_back(step.judging);
  }
  return out;
}

class VocoderEngineTest : public testing::Test {
 protected:
  VocoderEngineTest() { torch::set_num_threads(1); }

  VocoderEngineOptions options() const { return small_vocoder(sounds_.bank, stream_); }

  device::Platform platform_;
  device::StreamView stream_ = platform_.default_stream(device::kCpu);
  Sounds sounds_{{6000, 500, 9000}};
};

/// What a clip is at a place, mirrored at its ends as often as it takes.
double sample_at(const Sounds& sounds, size_t clip, int64_t place) {
  const int64_t last = sounds.bank.lengths[clip] - 1;
  while (place < 0 || place > last)
    place = place < 0 ? -place : 2 * last - place;
  return sounds.samples[static_cast<size_t>(sounds.bank.begins[clip] + place)] / 32768.0;
}

TEST_F(VocoderEngineTest, MiddlesAreThoseOfTheClipsAndTheirMels) {
  const audio::MelOptions mel = small_mel();
  const model::MelTorch plan(mel, torch::kCPU);
  const CropSource crops(sounds_.bank, plan, 16, torch::kCPU);
  const Crops cut = crops.middles(torch::arange(3, torch::kInt64));
  ASSERT_EQ(cut.sounds.size(1), 16 * 64);
  const std::vector<int64_t> starts = {(6000 - 1024) / 2, 0, (9000 - 1024) / 2};
  for (size_t clip = 0; clip < 3; ++clip) {
    for (const int64_t i : {0, 1, 500, 1023}) {
      EXPECT_FLOAT_EQ(cut.sounds[static_cast<int64_t>(clip)][i].item<float>(),
                      static_cast<float>(sample_at(sounds_, clip, starts[clip] + i)));
    }
  }
}

TEST_F(VocoderEngineTest, TheMelOfAPieceIsAPieceOfTheMel) {
  const audio::MelOptions mel = small_mel();
  Sounds one({64 * 40});  // its middle of 16 frames begins at frame 12
  const model::MelTorch plan(mel, torch::kCPU);
  const auto piece =
      CropSource(one.bank, plan, 16, torch::kCPU).middles(torch::zeros({1}, torch::kInt64)).mels[0];
  const audio::MelCpu reference(mel);
  audio::MelCpu::Workspace workspace(reference);
  const auto frames = static_cast<size_t>(reference.frames(one.bank.count));
  auto whole = torch::zeros({mel.n_mels, static_cast<int64_t>(frames)});
  reference.apply(std::span<const int16_t>(one.samples), workspace,
                  {whole.data_ptr<float>(), frames, frames});
  EXPECT_LE((whole.narrow(1, 12, 16) - piece).abs().max().item<float>(), 3e-4F);
}

TEST_F(VocoderEngineTest, PiecesBeginEverywhereAndAreAFunctionOfSeedAndUpdate) {
  const model::MelTorch plan(small_mel(), torch::kCPU);
  // Clips whose samples are their places, so that a piece says where it begins.
  Sounds sounds({2000, 1500});
  for (size_t i = 0; i < sounds.samples.size(); ++i)
    sounds.samples[i] = static_cast<int16_t>(i);
  const CropSource crops(sounds.bank, plan, 16, torch::kCPU);
  const auto begins = [&](int64_t update, uint64_t seed) {
    const model::Noise noise(seed, torch::full({}, update, torch::kInt64));
    return (crops.draw(1500, noise).sounds.select(1, 0) * 32768).to(torch::kInt64);
  };
  const auto first = begins(7, 1);
  EXPECT_TRUE(torch::equal(first, begins(7, 1)));
  EXPECT_FALSE(torch::equal(first, begins(8, 1)));
  EXPECT_FALSE(torch::equal(first, begins(7, 2)));
  // 977 places in the first clip and 477 in the second.
  const auto of_first = first < 2000;
  EXPECT_NEAR(of_first.to(torch::kFloat64).mean().item<double>(), 977.0 / 1454, 0.05);
  EXPECT_LE(first.masked_select(of_first).max().item<int64_t>(), 976);
  EXPECT_GE(first.masked_select(of_first).max().item<int64_t>(), 950);
  EXPECT_GE(first.masked_select(~of_first).min().item<int64_t>(), 2000);
  EXPECT_LE(first.max().item<int64_t>(), 2476);
}

TEST_F(VocoderEngineTest, LossesFall) {
  const auto engine = make_torch_vocoder_engine(options());
  const double before = engine->evaluate(sounds_.bank);
  const auto losses = learn(*engine, 0, 60);
  ASSERT_THAT(losses, SizeIs(60));
  EXPECT_EQ(losses[3].judging, 0);
  EXPECT_GT(losses[4].judging, 0);
  EXPECT_GT(losses[4].features, 0);
  EXPECT_NEAR(losses[4].total, 45 * losses[4].mel + losses[4].fooling + losses[4].features, 1e-3);
  EXPECT_GT(losses[4].judge_gradient_norm, 0);
  EXPECT_TRUE(losses.back().finite);
  EXPECT_LT(engine->evaluate(sounds_.bank), 0.7 * before);
}

/// A state on the disk.
struct SavedVocoder {
  explicit SavedVocoder(VocoderEngine& engine, const VocoderEngineOptions& options)
      : state(engine.state()) {
    write_vocoder_checkpoint(folder.path(),
                             {.network = options.network, .discriminators = options.discriminators},
                             {}, state);
  }
  VocoderCheckpoint open() const { return VocoderCheckpoint::open(folder.path()); }

  TemporaryFolder folder;
  EngineState state;
};

TEST_F(VocoderEngineTest, GoesOnToTheBit) {
  const auto whole = make_torch_vocoder_engine(options());
  auto expected = totals(learn(*whole, 0, 9));
  const auto first = make_torch_vocoder_engine(options());
  learn(*first, 0, 6);
  const SavedVocoder saved(*first, options());
  const auto second = make_torch_vocoder_engine(options());
  learn(*second, 0, 2);  // what it did before does not matter
  second->restore(saved.open().training(), saved.open().average());
  const auto found = totals(learn(*second, 6, 9));
  expected.erase(expected.begin(), expected.begin() + 12);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(second->evaluate(sounds_.bank), whole->evaluate(sounds_.bank));
}

TEST_F(VocoderEngineTest, AForeignStateIsRefusedAndLeavesAllAsItWas) {
  VocoderEngineOptions wider = options();
  wider.network.hidden = 80;
  const auto other = make_torch_vocoder_engine(wider);
  const SavedVocoder saved(*other, wider);
  const auto engine = make_torch_vocoder_engine(options());
  const double before = engine->evaluate(sounds_.bank);
  EXPECT_THAT(
      error_message([&] { engine->restore(saved.open().training(), saved.open().average()); }),
      AllOf(HasSubstr("generator.weights.block_0"), HasSubstr("expected")));
  EXPECT_EQ(engine->evaluate(sounds_.bank), before);
  write_safetensors(saved.folder / "none.safetensors", {});
  const SafetensorsFile none(saved.folder / "none.safetensors");
  EXPECT_THAT(error_message([&] { engine->restore(none, none); }), HasSubstr("found none"));
}

model::MelData hum_mel(size_t samples) {
  const audio::MelCpu plan(small_mel());
  audio::MelCpu::Workspace workspace(plan);
  const auto clip = hum(samples, 0.05);
  const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(samples)));
  model::MelData mel{20, static_cast<int>(frames), std::vector<float>(20 * frames)};
  plan.apply(std::span<const int16_t>(clip), workspace, {mel.values.data(), frames, frames});
  return mel;
}

TEST_F(VocoderEngineTest, SpeaksWithItsAveragedWeights) {
  VocoderEngineOptions alone = options();
  alone.judged_from = 1000;
  const auto engine = make_torch_vocoder_engine(alone);
  learn(*engine, 0, 150);
  const SavedVocoder saved(*engine, alone);
  const auto vocoder = make_torch_vocoder({.stream = stream_}, saved.open().average());
  EXPECT_EQ(vocoder->n_mels(), 20);
  EXPECT_EQ(vocoder->hop_length(), 64);
  const audio::MelCpu plan(small_mel());
  audio::MelCpu::Workspace workspace(plan);
  const std::vector<model::MelData> mels = {hum_mel(3000), hum_mel(1700)};
  const auto spoken = vocoder->apply(mels);
  ASSERT_THAT(spoken, SizeIs(2));
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(std::ssize(spoken[i]), mels[i].frames * 64);
    EXPECT_THAT(spoken[i], Each(AllOf(testing::Ge(-1.0F), testing::Le(1.0F))));
    const auto frames = static_cast<size_t>(mels[i].frames);
    std::vector<float> again(20 * frames);
    plan.apply(std::span<const float>(spoken[i]), workspace, {again.data(), frames, frames});
    double distance = 0;
    double to_silence = 0;
    for (size_t k = 0; k < again.size(); ++k) {
      distance += std::abs(again[k] - mels[i].values[k]);
      to_silence += std::abs(audio::mel_silence(small_mel()) - mels[i].values[k]);
    }
    EXPECT_LT(distance, 0.5 * to_silence);
  }
}

TEST_F(VocoderEngineTest, SpeaksInBf16NearlyAsInFp32) {
  const auto engine = make_torch_vocoder_engine(options());
  learn(*engine, 0, 20);
  const SavedVocoder saved(*engine, options());
  const std::vector<model::MelData> mels = {hum_mel(3000)};
  VocoderOptions how{.stream = stream_};
  const auto exact = make_torch_vocoder(how, saved.open().average())->apply(mels)[0];
  how.mixed_precision = true;
  const auto rounded = make_torch_vocoder(how, saved.open().average())->apply(mels)[0];
  ASSERT_EQ(rounded.size(), exact.size());
  double distance = 0;
  double loudness = 0;
  for (size_t i = 0; i < exact.size(); ++i) {
    distance += std::abs(exact[i] - rounded[i]);
    loudness += std::abs(exact[i]);
  }
  EXPECT_GT(distance, 0) << "bf16 was not taken";
  EXPECT_LT(distance, 0.05 * loudness);
}

TEST_F(VocoderEngineTest, WhatAVocoderHeedsEndsItBetweenBlocks) {
  const auto engine = make_torch_vocoder_engine(options());
  const SavedVocoder saved(*engine, options());
  int calls = 0;
  const VocoderOptions how{.stream = stream_, .heed = [&] {
                             if (++calls == 2) throw_error(ErrorKind::interrupted, "stop");
                           }};
  const auto vocoder = make_torch_vocoder(how, saved.open().average());
  EXPECT_EQ(error_message([&] { vocoder->apply(std::vector{hum_mel(3000)}); }), "stop");
  EXPECT_EQ(calls, 2);
}

TEST_F(VocoderEngineTest, WeightsThatAreMissingOrForeignAreNamed) {
  const auto engine = make_torch_vocoder_engine(options());
  const EngineState state = engine->state();
  const TemporaryFolder folder;
  const auto metadata = model::vocos_metadata(options().network);
  auto tensors = state.average;
  tensors.pop_back();
  write_safetensors(folder / "few.safetensors", tensors, metadata);
  EXPECT_THAT(error_message([&] {
                make_torch_vocoder({.stream = stream_},
                                   SafetensorsFile(folder / "few.safetensors"));
              }),
              AllOf(HasSubstr("expected"), HasSubstr("found none")));
  tensors = state.average;
  tensors.push_back(tensors[0]);
  tensors.back().name = "stranger";
  write_safetensors(folder / "many.safetensors", tensors, metadata);
  EXPECT_THAT(error_message([&] {
                make_torch_vocoder({.stream = stream_},
                                   SafetensorsFile(folder / "many.safetensors"));
              }),
              HasSubstr("stranger"));
}

TEST_F(VocoderEngineTest, ALossThatIsNotFiniteChangesNothingAnyMore) {
  const auto engine = make_torch_vocoder_engine(options());
  learn(*engine, 0, 2);
  learn(*engine, 2, 3, std::numeric_limits<double>::infinity());
  const auto losses = learn(*engine, 3, 5);
  EXPECT_FALSE(losses.back().finite);
}

TEST_F(VocoderEngineTest, PiecesShorterThanASpectrumAreRefused) {
  VocoderEngineOptions small = options();
  small.crop_frames = 3;
  EXPECT_THAT(error_message([&] { make_torch_vocoder_engine(small); }),
              AllOf(HasSubstr("256"), HasSubstr("192")));
}

TEST_F(VocoderEngineTest, OnAGpuAGraphLearnsWhatSingleOperationsDo) {
  if (!platform_.has(device::cuda(0))) GTEST_SKIP() << platform_.cuda_absence();
  const device::Stream stream(platform_, device::cuda(0));
  device::PlainResource memory(platform_, device::cuda(0));
  const auto held = device::upload(std::span<const int16_t>(sounds_.samples), memory, stream);
  stream.synchronize();
  VocoderEngineOptions on_gpu = small_vocoder(sounds_.bank, stream);
  on_gpu.sounds.samples = held.as<int16_t>().data();
  const auto plain = make_torch_vocoder_engine(on_gpu);
  const auto expected = learn(*plain, 0, 8);
  on_gpu.graphs = true;
  const auto graphed = make_torch_vocoder_engine(on_gpu);
  const auto found = learn(*graphed, 0, 8);
  EXPECT_EQ(graphed->graphs(), 2u);
  EXPECT_EQ(graphed->host_syncs(), 0u);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i].total, expected[i].total, 1e-2F * expected[i].total) << i;
  const auto on_cpu = learn(*make_torch_vocoder_engine(options()), 0, 1);
  EXPECT_NEAR(expected[0].total, on_cpu[0].total, 1e-2F * on_cpu[0].total);
}

}  // namespace
}  // namespace seda::train
