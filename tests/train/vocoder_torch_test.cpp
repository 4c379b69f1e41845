// SPDX-License-Identifier: Apache-2.0
// HiFi-GAN: against plain PyTorch, and what padding, weights and metadata may do.
#include "seda/train/engine/vocoder_torch.h"

#include <cstring>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "seda/base/error.h"
#include "seda/device/platform.h"
#include "seda/model/hifigan.h"
#include "seda/train/torch_location.h"
#include "tests/support/error_message.h"
#include "tests/support/run_program.h"
#include "tests/support/source_folder.h"

namespace seda::train {
namespace {

using seda::testing_support::error_message;
using seda::testing_support::run_shell;
using seda::testing_support::source_folder;
using seda::testing_support::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kTorchMissing = 77;
constexpr int kPythonMissing = 127;

std::vector<float> floats_of(const std::filesystem::path& path) {
  const std::string bytes = testing_support::read_file(path);
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

float largest_difference(std::span<const float> a, std::span<const float> b) {
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

class OneThread : public testing::Test {
 protected:
  OneThread() { torch::set_num_threads(1); }
};

class PythonOfTorch : public OneThread {
 protected:
  /// Runs a Python script of this tree with the torch of this build.
  testing_support::ProgramResult python(const std::string& script, const std::string& arguments) {
    const auto torch = find_torch(TorchSearch::of_this_process());
    const auto* const location = std::get_if<TorchLocation>(&torch);
    return run_shell(fmt::format("PYTHONPATH='{}' python3 '{}' {}",
                                 location == nullptr ? "" : location->folder.string(),
                                 (source_folder() / script).string(), arguments),
                     folder.path());
  }

  TemporaryFolder folder;
};

class HifiGanOfPython : public PythonOfTorch, public testing::WithParamInterface<int> {};

TEST_P(HifiGanOfPython, SoundsTheSameHere) {
  const auto made = python("tests/train/make_hifigan.py", fmt::format(". {}", GetParam()));
  if (made.exit_code == kTorchMissing || made.exit_code == kPythonMissing) {
    GTEST_SKIP() << "there is no Python with torch here: " << made.err;
  }
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto converted =
      python("scripts/convert_hifigan.py", "generator.pth config.json out.safetensors");
  ASSERT_EQ(converted.exit_code, 0) << converted.err;

  const device::Platform platform;
  const SafetensorsFile weights(folder / "out.safetensors");
  const auto vocoder =
      make_torch_vocoder({.stream = platform.default_stream(device::kCpu)}, weights);
  EXPECT_EQ(vocoder->n_mels(), 8);
  EXPECT_EQ(vocoder->hop_length(), 12);
  const std::vector<model::MelData> mels = {{8, 11, floats_of(folder / "mel.f32")}};
  const auto expected = floats_of(folder / "sound.f32");
  const auto found = vocoder->apply(mels);
  ASSERT_EQ(found.at(0).size(), expected.size());
  EXPECT_GT(largest_difference(expected, std::vector<float>(expected.size())), 0.1F) << "silent";
  EXPECT_LE(largest_difference(found[0], expected), 1e-5F);
}

INSTANTIATE_TEST_SUITE_P(Resblocks, HifiGanOfPython, testing::Values(1, 2));

TEST_F(PythonOfTorch, ConverterNamesWhatIsWrong) {
  folder.write("bad.pth", "no checkpoint");
  folder.write("empty.json", "{}");
  folder.write("config.json",
               R"({"resblock": "1", "upsample_rates": [4], "upsample_kernel_sizes": [8],
                   "resblock_kernel_sizes": [3], "resblock_dilation_sizes": [[1]], "num_mels": 8,
                   "n_fft": 16, "hop_size": 4, "win_size": 16, "sampling_rate": 8000, "fmin": 0,
                   "fmax": null})");
  const auto lacking = python("scripts/convert_hifigan.py", "bad.pth empty.json out");
  if (lacking.exit_code == kPythonMissing) GTEST_SKIP() << "there is no Python here";
  EXPECT_THAT(lacking.err, HasSubstr("it lacks resblock"));
  const auto bad = python("scripts/convert_hifigan.py", "bad.pth config.json out");
  if (bad.err.find("has no torch") != std::string::npos) GTEST_SKIP() << bad.err;
  EXPECT_THAT(bad.err, AllOf(HasSubstr("bad.pth"), Not(HasSubstr("Traceback"))));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

model::HifiGanOptions small_options() {
  model::HifiGanOptions options;
  options.upsample_rates = {4, 3};
  options.upsample_kernel_sizes = {8, 6};  // 6 - 3 is odd: a sample more than the rate says
  options.resblock_kernel_sizes = {3, 5};
  options.resblock_dilation_sizes = {{1, 3}, {1, 2}};
  options.mel.n_mels = 4;
  options.mel.hop_length = 12;
  return options;
}

model::NamedTensors small_weights() {
  torch::manual_seed(3);
  model::NamedTensors out;
  const auto add = [&](const std::string& name, std::vector<int64_t> shape, int64_t channels) {
    out[name + ".weight"] = torch::randn(shape) * 0.3;
    out[name + ".bias"] = torch::randn({channels}) * 0.3;
  };
  add("conv_pre", {8, 4, 7}, 8);
  add("ups.0", {8, 4, 8}, 4);
  add("ups.1", {4, 2, 6}, 2);
  for (int block = 0; block < 4; ++block) {
    const int64_t channels = block < 2 ? 4 : 2;
    const int64_t kernel = block % 2 == 0 ? 3 : 5;
    for (const char* group : {"convs1", "convs2"})
      for (int i = 0; i < 2; ++i)
        add(fmt::format("resblocks.{}.{}.{}", block, group, i), {channels, channels, kernel},
            channels);
  }
  add("conv_post", {1, 2, 7}, 1);
  return out;
}

class HifiGan : public OneThread {};

TEST_F(HifiGan, PaddingDoesNotReachWhatIsKept) {
  const model::HifiGan network(small_options(), small_weights());
  const auto mels = torch::randn({3, 4, 20});
  const std::vector<int64_t> lengths = {20, 13, 1};
  const auto together = network.apply(mels, lengths);
  EXPECT_EQ(together.size(1), 240);
  for (int64_t row = 0; row < 3; ++row) {
    const int64_t length = lengths[static_cast<size_t>(row)];
    const auto alone = network.apply(mels.narrow(0, row, 1).narrow(2, 0, length), {{length}});
    const auto kept = together[row].narrow(0, 0, length * 12);
    EXPECT_LE((kept - alone[0]).abs().max().item<float>(), 1e-6F) << "row " << row;
  }
}

TEST_F(HifiGan, MelsAreNotChanged) {
  const model::HifiGan network(small_options(), small_weights());
  const auto mels = torch::randn({2, 4, 5});
  const auto before = mels.clone();
  const std::vector<int64_t> lengths = {5, 2};
  network.apply(mels, lengths);
  EXPECT_TRUE(torch::equal(mels, before));
}

TEST_F(HifiGan, NamesTensorsThatAreMissingForeignOrOfAnotherShape) {
  auto weights = small_weights();
  weights.erase("ups.1.weight");
  weights.erase("conv_post.bias");
  EXPECT_THAT(error_message([&] { model::HifiGan(small_options(), weights); }),
              AllOf(HasSubstr("lack"), HasSubstr("ups.1.weight"), HasSubstr("conv_post.bias")));
  weights = small_weights();
  weights["discriminator.weight"] = torch::zeros({1});
  EXPECT_THAT(error_message([&] { model::HifiGan(small_options(), weights); }),
              HasSubstr("discriminator.weight"));
  weights = small_weights();
  weights["resblocks.2.convs2.1.weight"] = torch::zeros({2, 2, 5});
  EXPECT_THAT(error_message([&] { model::HifiGan(small_options(), weights); }),
              AllOf(HasSubstr("resblocks.2.convs2.1.weight"), HasSubstr("[2, 2, 3]"),
                    HasSubstr("[2, 2, 5]")));
}

TEST(WeightNorm, IsMultipliedOutInEitherForm) {
  const auto direction = torch::randn({3, 2, 5});
  const auto gain = torch::randn({3, 1, 1});
  const auto old_form = model::fold_weight_norm({{"a.weight_v", direction}, {"a.weight_g", gain}});
  const auto new_form = model::fold_weight_norm({{"a.parametrizations.weight.original1", direction},
                                                 {"a.parametrizations.weight.original0", gain}});
  ASSERT_EQ(old_form.size(), 1u);
  ASSERT_EQ(new_form.size(), 1u);
  for (int64_t row = 0; row < 3; ++row) {
    double squares = 0;
    for (int64_t i = 0; i < 10; ++i)
      squares += std::pow(direction[row].flatten()[i].item<double>(), 2);
    const double factor = gain[row].item<double>() / std::sqrt(squares);
    const auto expected = direction[row] * factor;
    EXPECT_TRUE(torch::allclose(old_form.at("a.weight")[row], expected));
    EXPECT_TRUE(torch::allclose(new_form.at("a.weight")[row], expected));
  }
  EXPECT_THAT(error_message([&] { model::fold_weight_norm({{"a.weight_g", gain}}); }),
              HasSubstr("a.weight_v is not"));
  EXPECT_THAT(error_message([&] { model::fold_weight_norm({{"a.weight_v", direction}}); }),
              HasSubstr("a.weight_g is not"));
}

/// A file of the small network, each value of the metadata as JSON text.
class VocoderFile : public OneThread {
 protected:
  VocoderFile() {
    const auto weights = small_weights();
    std::vector<TensorView> views;
    for (const auto& [name, tensor] : weights) {
      const auto sizes = tensor.sizes();
      const std::span<const float> values(tensor.const_data_ptr<float>(),
                                          static_cast<size_t>(tensor.numel()));
      views.push_back({name, TensorType::f32, {sizes.begin(), sizes.end()}, std::as_bytes(values)});
    }
    write_safetensors(path, views,
                      {{"resblock", "\"1\""},
                       {"upsample_rates", "[4, 3]"},
                       {"upsample_kernel_sizes", "[8, 6]"},
                       {"resblock_kernel_sizes", "[3, 5]"},
                       {"resblock_dilation_sizes", "[[1, 3], [1, 2]]"},
                       {"sampling_rate", "8000"},
                       {"n_fft", "48"},
                       {"hop_size", "12"},
                       {"win_size", "48"},
                       {"num_mels", "4"},
                       {"fmin", "0"},
                       {"fmax", "null"}});
  }

  static model::MelData random_mel(int frames) {
    const auto values = torch::randn({4 * frames});
    const auto* const data = values.const_data_ptr<float>();
    return {4, frames, {data, data + values.numel()}};
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "vocoder.safetensors";
};

void expect_like_alone(NeuralVocoder& vocoder, std::span<const model::MelData> mels,
                       float tolerance) {
  const auto sounds = vocoder.apply(mels);
  ASSERT_EQ(sounds.size(), mels.size());
  for (size_t i = 0; i < mels.size(); ++i) {
    const auto alone = vocoder.apply(mels.subspan(i, 1));
    ASSERT_EQ(sounds[i].size(), static_cast<size_t>(mels[i].frames) * 12);
    EXPECT_LE(largest_difference(sounds[i], alone[0]), tolerance) << "mel " << i;
  }
}

TEST_F(VocoderFile, GivesEachMelItsSoundInOrder) {
  const device::Platform platform;
  const auto vocoder =
      make_torch_vocoder({.stream = platform.default_stream(device::kCpu)}, SafetensorsFile(path));
  const std::vector<model::MelData> mels = {random_mel(7), random_mel(19), random_mel(0),
                                            random_mel(1), random_mel(12)};
  expect_like_alone(*vocoder, mels, 0);
  EXPECT_TRUE(vocoder->apply({}).empty());
}

TEST_F(VocoderFile, OfAHifiGanIsEndedByWhatItHeeds) {
  const device::Platform platform;
  int calls = 0;
  const VocoderOptions options{.stream = platform.default_stream(device::kCpu), .heed = [&] {
                                 if (++calls == 3) throw_error(ErrorKind::interrupted, "stop");
                               }};
  const auto vocoder = make_torch_vocoder(options, SafetensorsFile(path));
  EXPECT_EQ(error_message([&] { vocoder->apply(std::vector{random_mel(7)}); }), "stop");
  EXPECT_EQ(calls, 3) << "in the middle of a sound";
}

TEST_F(VocoderFile, OfAHifiGanComputesInFp32WhateverIsAsked) {
  const device::Platform platform;
  VocoderOptions options{.stream = platform.default_stream(device::kCpu)};
  const std::vector<model::MelData> mels = {random_mel(9)};
  const auto exact = make_torch_vocoder(options, SafetensorsFile(path))->apply(mels);
  options.mixed_precision = true;
  EXPECT_EQ(make_torch_vocoder(options, SafetensorsFile(path))->apply(mels), exact);
}

TEST_F(VocoderFile, GivesEachMelItsSoundOnAGpu) {
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) GTEST_SKIP() << platform.cuda_absence();
  const device::Stream stream(platform, device::cuda(0));
  const auto vocoder = make_torch_vocoder({.stream = stream}, SafetensorsFile(path));
  const auto reference =
      make_torch_vocoder({.stream = platform.default_stream(device::kCpu)}, SafetensorsFile(path));
  const std::vector<model::MelData> mels = {random_mel(7), random_mel(190), random_mel(0),
                                            random_mel(1), random_mel(120)};
  expect_like_alone(*vocoder, mels, 5e-3F);
  const auto here = vocoder->apply(mels);
  const auto there = reference->apply(mels);
  for (size_t i = 0; i < mels.size(); ++i)
    EXPECT_LE(largest_difference(here[i], there[i]), 5e-3F) << "TF32 allowed; mel " << i;
}

TEST_F(VocoderFile, RefusesAMelOfOtherBands) {
  const device::Platform platform;
  const auto vocoder =
      make_torch_vocoder({.stream = platform.default_stream(device::kCpu)}, SafetensorsFile(path));
  const std::vector<model::MelData> mels = {{5, 2, std::vector<float>(10)}};
  EXPECT_THAT(error_message([&] { vocoder->apply(mels); }),
              AllOf(HasSubstr("4 bands"), HasSubstr("5")));
}

}  // namespace
}  // namespace seda::train
