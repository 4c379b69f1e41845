// SPDX-License-Identifier: Apache-2.0
#include "seda/train/mel_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "seda/audio/mel_cpu.h"
#include "seda/base/error.h"
#include "seda/base/interrupt.h"

namespace seda::train {
namespace {

std::vector<uint32_t> spread_rows(const feed::ClipSource& source, size_t clips) {
  std::vector<uint32_t> usable;
  const auto rows = source.rows();
  for (uint32_t row = 0; row < rows.size(); ++row) {
    if (rows[row].is_usable() && rows[row].split == static_cast<uint32_t>(dataset::Split::train))
      usable.push_back(row);
  }
  std::vector<uint32_t> out;
  const size_t wanted = std::min(clips, usable.size());
  out.reserve(wanted);
  for (size_t i = 0; i < wanted; ++i)
    out.push_back(usable[i * usable.size() / wanted]);
  return out;
}

/// Sums of what it is given.
class Moments {
 public:
  void add(std::span<const float> values) {
    for (const float value : values) {
      sum_ += value;
      squares_ += double{value} * value;
    }
    count_ += values.size();
  }

  size_t count() const { return count_; }

  MelStatistics statistics() const {
    const double mean = sum_ / static_cast<double>(count_);
    const double variance = squares_ / static_cast<double>(count_) - mean * mean;
    return {.mean = static_cast<float>(mean),
            .deviation = static_cast<float>(std::sqrt(std::max(variance, 1e-4)))};
  }

 private:
  double sum_ = 0;
  double squares_ = 0;
  size_t count_ = 0;
};

}  // namespace

MelStatistics measure_mels(const feed::ClipSource& source, size_t clips) {
  const audio::MelCpu plan(source.mel());
  audio::MelCpu::Workspace workspace(plan);
  const auto reader = source.make_reader();
  std::vector<float> made;
  Moments moments;
  for (const uint32_t row : spread_rows(source, clips)) {
    throw_if_interrupted();
    if (reader->fetch(row)) continue;
    const auto content = reader->content();
    if (!content) continue;
    if (!content.value().mel.empty()) {
      moments.add(content.value().mel);
      continue;
    }
    const auto samples = content.value().samples;
    const auto frames = static_cast<size_t>(plan.frames(static_cast<int64_t>(samples.size())));
    made.resize(frames * static_cast<size_t>(source.mel().n_mels));
    plan.apply(samples, workspace, {made.data(), frames, frames});
    moments.add(made);
  }
  if (moments.count() == 0) {
    throw_error(ErrorKind::check_failed,
                "no clip of the corpus could be read, so that nothing is known of its mels: seda "
                "prepare lists what is wrong with each");
  }
  return moments.statistics();
}

}  // namespace seda::train
