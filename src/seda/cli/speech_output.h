// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "seda/speak/synthesizer.h"

namespace seda::cli {

/// What was made of a text.
struct SpokenText {
  std::string text;
  std::string path;  ///< "-": stdout.
  double seconds = 0;
};

/// Where speech goes: a wav file for each text, or one stream on stdout.
class SpeechOutput {
 public:
  virtual ~SpeechOutput() = default;

  virtual void take(const speak::Speech& speech) = 0;

  const std::vector<SpokenText>& spoken() const noexcept { return spoken_; }

 protected:
  std::vector<SpokenText> spoken_;
};

/// Whether `output` means stdout.
bool is_stdout(const std::string& output);

/// A file for one text; a folder for several, or where `output` is one or ends with a slash: its
/// files are 0001.wav, 0002.wav, …; empty: speech.wav or the folder speech. "-" is stdout: samples
/// are written as they come, behind a header that leaves the length open. What several texts cannot
/// be written to, and a name of another kind of sound (.mp3), is an Error(usage).
std::unique_ptr<SpeechOutput> make_speech_output(const std::string& output,
                                                 std::span<const std::string> texts,
                                                 int sample_rate);

/// Where each text goes, by the same rule.
std::vector<std::string> plan_outputs(const std::string& output, size_t texts);

}  // namespace seda::cli
