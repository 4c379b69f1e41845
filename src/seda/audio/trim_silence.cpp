// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/trim_silence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace seda::audio {
namespace {

constexpr int kHopsPerSecond = 100;
constexpr double kSilence = 0x1p-32;  // energy of half a step of 16 bits

/// The pieces of a signal and how loud they are.
class Pieces {
 public:
  Pieces(std::span<const float> samples, int sample_rate)
      : samples_(samples),
        hop_(std::max<size_t>(1, static_cast<size_t>(sample_rate) / kHopsPerSecond)) {}

  size_t count() const { return (samples_.size() + hop_ - 1) / hop_; }
  size_t begin(size_t k) const { return k * hop_; }
  size_t end(size_t k) const { return std::min(samples_.size(), (k + 2) * hop_); }

  double energy(size_t k) const {
    double sum = 0;
    for (const float x : samples_.subspan(begin(k), end(k) - begin(k)))
      sum += double{x} * x;
    return sum / static_cast<double>(end(k) - begin(k));
  }

  double loudest() const {
    double most = 0;
    for (size_t k = 0; k < count(); ++k)
      most = std::max(most, energy(k));
    return most;
  }

 private:
  std::span<const float> samples_;
  size_t hop_;
};

}  // namespace

std::span<const float> trim_silence(std::span<const float> samples, int sample_rate,
                                    double below_db, double margin_s) {
  const Pieces pieces(samples, sample_rate);
  const double loudest = pieces.loudest();
  if (loudest < kSilence) return {};
  const double threshold = loudest * std::pow(10.0, -below_db / 10);
  size_t first = 0;
  while (pieces.energy(first) < threshold)
    ++first;
  size_t last = pieces.count() - 1;
  while (pieces.energy(last) < threshold)
    --last;
  const auto margin = static_cast<size_t>(std::llround(margin_s * sample_rate));
  const size_t begin = pieces.begin(first) - std::min(margin, pieces.begin(first));
  const size_t end = std::min(samples.size(), pieces.end(last) + margin);
  return samples.subspan(begin, end - begin);
}

}  // namespace seda::audio
