// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/vocoder.h"

#include <cmath>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "seda/audio/griffin_lim_cpu.h"
#include "seda/audio/mel_cpu.h"
#include "seda/audio/stft_cpu.h"
#include "seda/device/plain_resource.h"
#include "seda/device/platform.h"
#include "seda/model/vocos_options.h"
#include "tests/support/error_message.h"
#include "tests/support/temporary_folder.h"

namespace seda::speak {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::error_message;
using testing_support::TemporaryFolder;

model::MelData tone_mel(double hertz, int64_t samples, const audio::MelOptions& options) {
  std::vector<float> sound(static_cast<size_t>(samples));
  for (size_t i = 0; i < sound.size(); ++i) {
    const double time_s = static_cast<double>(i) / options.sample_rate;
    sound[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * hertz * time_s));
  }
  const audio::MelCpu plan(options);
  audio::MelCpu::Workspace workspace(plan);
  const auto frames = static_cast<size_t>(plan.frames(samples));
  model::MelData mel{options.n_mels, static_cast<int>(frames), {}};
  mel.values.resize(frames * static_cast<size_t>(options.n_mels));
  plan.apply(std::span<const float>(sound), workspace, {mel.values.data(), frames, frames});
  return mel;
}

TEST(GriffinLim, GivesEachMelItsSoundInOrder) {
  const device::Platform platform;
  device::PlainResource memory(platform, device::kCpu);
  const audio::MelOptions options;
  const auto vocoder = make_griffin_lim(options, memory, platform.default_stream(device::kCpu));
  EXPECT_EQ(vocoder->name(), "griffin_lim");
  const std::vector<model::MelData> mels = {
      tone_mel(440, 8000, options), {80, 0, {}}, tone_mel(880, 5000, options)};
  const auto sounds = vocoder->apply(mels);
  ASSERT_EQ(sounds.size(), 3u);
  EXPECT_TRUE(sounds[1].empty());
  const audio::GriffinLimCpu reference(options);
  for (const size_t i : {0u, 2u}) {
    auto values = mels[i].values;
    const auto frames = static_cast<size_t>(mels[i].frames);
    EXPECT_EQ(sounds[i], reference.apply({values.data(), frames, frames}, {.iterations = 60}));
  }
}

TEST(GriffinLim, SoundsOnAGpuAsLongAsOnTheCpu) {
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) GTEST_SKIP() << platform.cuda_absence();
  const device::Stream stream(platform, device::cuda(0));
  device::PlainResource memory(platform, device::cuda(0));
  const audio::MelOptions options;
  const auto vocoder = make_griffin_lim(options, memory, stream);
  const std::vector<model::MelData> mels = {tone_mel(440, 8000, options), {80, 0, {}}};
  const auto sounds = vocoder->apply(mels);
  ASSERT_EQ(sounds.size(), 2u);
  EXPECT_EQ(std::ssize(sounds[0]), audio::stft_samples(options, mels[0].frames));
  float peak = 0;
  for (const float sample : sounds[0])
    peak = std::max(peak, std::abs(sample));
  EXPECT_NEAR(peak, 0.5, 0.2);
}

/// dB between the mel of a sound and the one it was made from, on average.
double mel_error_db(const std::vector<float>& sound, const model::MelData& mel,
                    const audio::MelOptions& options) {
  const audio::MelCpu plan(options);
  audio::MelCpu::Workspace workspace(plan);
  const auto frames = static_cast<size_t>(mel.frames);
  std::vector<float> found(mel.values.size());
  plan.apply(std::span<const float>(sound), workspace, {found.data(), frames, frames});
  double sum = 0;
  for (size_t i = 0; i < found.size(); ++i)
    sum += std::abs(found[i] - mel.values[i]);
  return 8.686 * sum / static_cast<double>(found.size());
}

TEST(GriffinLim, ClipsOfABatchOnAGpuSoundAsTheyDoOnTheCpu) {
  const device::Platform platform;
  if (!platform.has(device::cuda(0))) GTEST_SKIP() << platform.cuda_absence();
  const device::Stream stream(platform, device::cuda(0));
  device::PlainResource memory(platform, device::cuda(0));
  const audio::MelOptions options;
  const auto vocoder = make_griffin_lim(options, memory, stream);
  const std::vector<model::MelData> mels = {
      tone_mel(300, 9000, options), tone_mel(880, 24000, options), tone_mel(1500, 4000, options)};
  const auto sounds = vocoder->apply(mels);
  const audio::GriffinLimCpu reference(options);
  for (size_t i = 0; i < mels.size(); ++i) {
    auto values = mels[i].values;
    const auto frames = static_cast<size_t>(mels[i].frames);
    const auto expected = reference.apply({values.data(), frames, frames}, {.iterations = 60});
    ASSERT_EQ(sounds[i].size(), expected.size());
    EXPECT_LT(mel_error_db(sounds[i], mels[i], options),
              mel_error_db(expected, mels[i], options) + 1);
  }
}

/// Bands and hop as asked for, and sound that says which mel it was.
class FakeNetwork final : public train::NeuralVocoder {
 public:
  FakeNetwork(int bands, int hop) : bands_(bands), hop_(hop) {}
  int n_mels() const override { return bands_; }
  int hop_length() const override { return hop_; }
  std::vector<std::vector<float>> apply(std::span<const model::MelData> mels) override {
    return std::vector<std::vector<float>>(mels.size(), {1, 2});
  }

 private:
  int bands_;
  int hop_;
};

TEST(NeuralVocoder, MustFitTheVoicesMels) {
  const audio::MelOptions options;
  const auto vocoder = make_neural_vocoder(std::make_unique<FakeNetwork>(80, 256), options, "net");
  EXPECT_EQ(vocoder->name(), "net");
  EXPECT_EQ(vocoder->apply(std::vector<model::MelData>(3)).size(), 3u);
  EXPECT_THAT(error_message([&] {
                make_neural_vocoder(std::make_unique<FakeNetwork>(80, 300), options, "net");
              }),
              AllOf(HasSubstr("net"), HasSubstr("300"), HasSubstr("256")));
}

class VocoderFile : public testing::Test {
 protected:
  void write(const train::TensorMetadata& changes) {
    train::TensorMetadata metadata = {{"resblock", "\"1\""},
                                      {"upsample_rates", "[8, 8, 2, 2]"},
                                      {"upsample_kernel_sizes", "[16, 16, 4, 4]"},
                                      {"resblock_kernel_sizes", "[3]"},
                                      {"resblock_dilation_sizes", "[[1]]"},
                                      {"sampling_rate", "22050"},
                                      {"n_fft", "1024"},
                                      {"hop_size", "256"},
                                      {"win_size", "1024"},
                                      {"num_mels", "80"},
                                      {"fmin", "0"},
                                      {"fmax", "8000"}};
    for (const auto& [name, value] : changes)
      metadata[name] = value;
    train::write_safetensors(path, {}, metadata);
  }
  std::string read(const audio::MelOptions& options = {}) {
    return error_message([&] { read_vocoder_file(path, options); });
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "v.safetensors";
};

TEST_F(VocoderFile, OfTheVoicesMelsIsTaken) {
  write({});
  EXPECT_EQ(read(), "nothing was thrown");
}

TEST_F(VocoderFile, OfOtherMelsIsRefusedWithBothValues) {
  write({{"fmax", "null"}, {"sampling_rate", "24000"}});
  EXPECT_THAT(read(), AllOf(HasSubstr("sample_rate 24000 and 22050"),
                            HasSubstr("fmax 12000.0 and 8000.0"), Not(HasSubstr("n_fft"))));
  write({});
  EXPECT_THAT(read(audio::mel_preset("tacotron2")), HasSubstr("center false and true"));
}

TEST_F(VocoderFile, WithMetadataThatCannotBeNamesIt) {
  write({{"hop_size", "300"}});
  EXPECT_THAT(read(), AllOf(HasSubstr("upsample_rates"), HasSubstr("300"), HasSubstr("256")));
  write({{"resblock", "\"3\""}});
  EXPECT_THAT(read(), AllOf(HasSubstr("resblock"), HasSubstr("1 or 2")));
  write({{"upsample_kernel_sizes", "[16, 16, 4]"}});
  EXPECT_THAT(read(), HasSubstr("upsample_kernel_sizes"));
  write({{"resblock_kernel_sizes", "[4]"}});
  EXPECT_THAT(read(), HasSubstr("odd"));
  write({{"upsample_rates", "[8, -8]"}});
  EXPECT_THAT(read(), HasSubstr("above 0"));
  write({{"num_mels", "not json"}});
  EXPECT_THAT(read(), HasSubstr("num_mels"));
  train::write_safetensors(path, {});
  EXPECT_THAT(read(), AllOf(HasSubstr("resblock"), HasSubstr("convert_hifigan.py")));
}

TEST_F(VocoderFile, OfSedasOwnTrainingIsKnownByItsMetadata) {
  const model::VocosOptions network;
  train::write_safetensors(path, {}, model::vocos_metadata(network));
  EXPECT_EQ(read(), "nothing was thrown");
  EXPECT_THAT(read(audio::mel_preset("tacotron2")),
              AllOf(HasSubstr("center false and true"), HasSubstr("griffin_lim")));
  train::write_safetensors(path, {}, {{"vocoder", "vocos"}});
  EXPECT_THAT(read(), HasSubstr("'network'"));
}

}  // namespace
}  // namespace seda::speak
