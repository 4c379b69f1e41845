// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "seda/audio/wav_writer.h"
#include "seda/feed/prepare.h"
#include "tests/dataset/corpus_maker.h"

namespace seda::feed {

using Reasons = std::map<std::string, uint64_t>;

/// A corpus of some clips, whose lines and sounds can be changed.
class Clips : public testing_support::CorpusFolder {
 public:
  static constexpr int kRate = 22050;

  explicit Clips(int count) {
    for (int i = 0; i < count; ++i) {
      set(i, "This is line number " + std::to_string(i) + " of a small corpus.");
      sing(i, 2000 + 10 * static_cast<size_t>(i));
    }
    save();
  }

  static std::string id(int i) { return "clip" + std::to_string(1000 + i); }
  static std::string wav_name(int i) { return "wavs/" + id(i) + ".wav"; }
  std::filesystem::path wav(int i) const { return path() / wav_name(i); }

  void set(int i, const std::string& text) { lines_[id(i)] = text; }
  void remove(int i) { lines_.erase(id(i)); }

  /// A tone of its own for each clip.
  static std::vector<int16_t> tone(int i, size_t samples) {
    std::vector<int16_t> out;
    for (size_t t = 0; t < samples; ++t) {
      const double phase = 0.02 * (i + 3) * static_cast<double>(t);
      out.push_back(static_cast<int16_t>(std::lrint(9000 * std::sin(phase))));
    }
    return out;
  }
  void sing(int i, size_t samples, int rate = kRate) const {
    write(wav_name(i), audio::wav_bytes(tone(i, samples), rate));
  }

  void save() const {
    std::string metadata;
    for (const auto& [id, text] : lines_)
      metadata += id + "|" + text + "\n";
    write("metadata.csv", metadata);
  }

  /// Preparing it with two threads, in letters.
  PrepareOptions options() const {
    PrepareOptions out;
    out.corpus = path();
    out.text.frontend.phonemes = false;
    out.text.tokenizer = text::TokenizerKind::characters;
    out.threads = 2;
    return out;
  }

 private:
  std::map<std::string, std::string> lines_;
};

}  // namespace seda::feed
