// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/speech_output.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "seda/audio/level.h"
#include "seda/audio/wav_writer.h"
#include "seda/base/ascii.h"
#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/cli/output.h"

namespace seda::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStdout = "-";

std::vector<int16_t> to_samples(std::span<const float> sound) {
  std::vector<int16_t> out;
  audio::to_pcm16(sound, 1, out);
  return out;
}

class WavFiles final : public SpeechOutput {
 public:
  WavFiles(std::span<const std::string> texts, std::vector<std::string> paths, int sample_rate)
      : texts_(texts.begin(), texts.end()), paths_(std::move(paths)), sample_rate_(sample_rate) {}

  void take(const speak::Speech& speech) override {
    const auto samples = to_samples(speech.samples);
    samples_.insert(samples_.end(), samples.begin(), samples.end());
    if (!speech.last) return;
    const std::string& path = paths_[speech.text];
    create_folders(folder_of(path));
    audio::write_wav(path, samples_, sample_rate_);
    spoken_.push_back(
        {texts_[speech.text], path, static_cast<double>(samples_.size()) / sample_rate_});
    samples_.clear();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string> paths_;
  int sample_rate_;
  std::vector<int16_t> samples_;  // of the text that is being spoken
};

class WavStream final : public SpeechOutput {
 public:
  WavStream(std::span<const std::string> texts, int sample_rate)
      : texts_(texts.begin(), texts.end()), sample_rate_(sample_rate) {}

  void take(const speak::Speech& speech) override {
    if (spoken_.size() == speech.text) begin(speech.text);
    const auto samples = to_samples(speech.samples);
    print({reinterpret_cast<const char*>(samples.data()), samples.size() * sizeof(int16_t)});
    flush_output();
    spoken_.back().seconds += static_cast<double>(samples.size()) / sample_rate_;
  }

 private:
  void begin(size_t text) {
    if (text == 0) print(audio::open_wav_header(sample_rate_));
    spoken_.push_back({texts_[text], kStdout, 0});
  }

  std::vector<std::string> texts_;
  int sample_rate_;
};

void refuse_other_sound(const std::string& output) {
  constexpr std::array kOthers = {".mp3", ".flac", ".ogg", ".opus", ".m4a", ".aac"};
  const std::string ending = lower_ascii(fs::path(output).extension().native());
  if (std::ranges::find(kOthers, ending) == kOthers.end()) return;
  throw_error(ErrorKind::usage,
              "--output {}: speech is written as wav; name a .wav file, a folder, or - for stdout",
              output);
}

bool names_folder(const std::string& output) {
  return output.ends_with('/') || fs::is_directory(output);
}

std::vector<std::string> in_folder(const fs::path& folder, size_t texts) {
  std::vector<std::string> out;
  for (size_t i = 1; i <= texts; ++i)
    out.push_back((folder / fmt::format("{:04}.wav", i)).native());
  return out;
}

}  // namespace

bool is_stdout(const std::string& output) {
  return output == kStdout;
}

std::vector<std::string> plan_outputs(const std::string& output, size_t texts) {
  if (is_stdout(output)) return std::vector<std::string>(texts, kStdout);
  if (!output.empty() && names_folder(output)) return in_folder(output, texts);
  refuse_other_sound(output);
  if (texts == 1) return {output.empty() ? "speech.wav" : output};
  if (output.ends_with(".wav") || fs::is_regular_file(output)) {
    throw_error(ErrorKind::usage,
                "--output {}: names a file, and there are {} texts; name a folder, or - for one "
                "stream",
                output, texts);
  }
  return in_folder(output.empty() ? "speech" : output, texts);
}

std::unique_ptr<SpeechOutput> make_speech_output(const std::string& output,
                                                 std::span<const std::string> texts,
                                                 int sample_rate) {
  if (is_stdout(output)) return std::make_unique<WavStream>(texts, sample_rate);
  return std::make_unique<WavFiles>(texts, plan_outputs(output, texts.size()), sample_rate);
}

}  // namespace seda::cli
