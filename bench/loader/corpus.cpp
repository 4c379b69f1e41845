// SPDX-License-Identifier: Apache-2.0
#include "bench/loader/corpus.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "seda/audio/wav_writer.h"
#include "seda/base/file.h"
#include "seda/base/parallel.h"
#include "seda/base/random.h"

namespace seda::bench {
namespace {

constexpr int kRate = 22050;

/// A sine, one rotation a sample.
class Oscillator {
 public:
  explicit Oscillator(double hertz)
      : cos_(std::cos(2 * std::numbers::pi * hertz / kRate)),
        sin_(std::sin(2 * std::numbers::pi * hertz / kRate)) {}

  double next() {
    const double x = x_ * cos_ - y_ * sin_;
    y_ = x_ * sin_ + y_ * cos_;
    x_ = x;
    return y_;
  }

 private:
  double cos_;
  double sin_;
  double x_ = 1;
  double y_ = 0;
};

/// About normal: mean 6.57, deviation 2.2.
double clip_seconds(Random& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += random.uniform();
  return std::clamp(6.57 + 2.2 * (sum - 6), 1.1, 10.1);
}

std::vector<int16_t> clip_samples(Random& random, double seconds) {
  std::vector<Oscillator> tones;
  tones.reserve(6);
  for (int i = 0; i < 6; ++i)
    tones.emplace_back(random.uniform(80, 4000));
  std::vector<int16_t> out(static_cast<size_t>(seconds * kRate));
  for (int16_t& sample : out) {
    double value = 0.02 * (random.uniform() - 0.5);
    for (Oscillator& tone : tones)
      value += 0.1 * tone.next();
    sample = static_cast<int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * 32767));
  }
  return out;
}

/// Fourteen letters a second, as read speech has.
std::string clip_text(Random& random, double seconds) {
  static constexpr const char* kWords[] = {
      "the", "printing", "of",     "books",   "became",  "a",     "matter", "great",  "city",
      "and", "many",     "people", "between", "letters", "wrote", "that",   "prison", "had"};
  std::string out;
  while (static_cast<double>(out.size()) < 14 * seconds - 8)
    out += std::string(kWords[random.below(std::size(kWords))]) + " ";
  out.back() = '.';
  return out;
}

}  // namespace

void make_speech_corpus(const std::filesystem::path& folder, int clips) {
  if (std::filesystem::exists(folder / "metadata.csv")) return;
  create_folders(folder / "wavs");
  std::vector<std::string> lines(static_cast<size_t>(clips));
  parallel_for(lines.size(), {.grain = 8, .name = "corpus"}, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Random random(i);
      const std::string id = fmt::format("clip-{:06}", i);
      const double seconds = clip_seconds(random);
      audio::write_wav(folder / "wavs" / (id + ".wav"), clip_samples(random, seconds), kRate);
      lines[i] = id + "|" + clip_text(random, seconds) + "\n";
    }
  });
  std::string metadata;
  for (const std::string& line : lines)
    metadata += line;
  write_file(folder / "metadata.csv", metadata);
}

}  // namespace seda::bench
