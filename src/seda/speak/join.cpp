// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/join.h"

#include <algorithm>
#include <cmath>

#include "seda/audio/level.h"
#include "seda/base/error.h"
#include "seda/base/log.h"

namespace seda::speak {
namespace {

void refuse_not_finite(std::span<const float> sound) {
  if (std::ranges::all_of(sound, [](float x) { return std::isfinite(x); })) return;
  throw_error(ErrorKind::check_failed,
              "the sound has samples that are not finite: the checkpoint or the vocoder is not fit "
              "to speak; take an earlier checkpoint, or another vocoder");
}

}  // namespace

void fade_ends(std::span<float> sound, size_t samples) {
  const size_t length = std::min(samples, sound.size() / 2);
  for (size_t i = 0; i < length; ++i) {
    const float factor = static_cast<float>(i) / static_cast<float>(length);
    sound[i] *= factor;
    sound[sound.size() - 1 - i] *= factor;
  }
}

float guard_peak(std::span<float> sound) {
  const float peak = audio::peak_level(sound);
  if (peak <= 1) return 1;
  for (float& sample : sound)
    sample = std::clamp(sample / peak, -1.0F, 1.0F);
  return 1 / peak;
}

std::vector<float> Joiner::add(std::span<const float> sentence) {
  refuse_not_finite(sentence);
  const auto samples = [&](double seconds) {
    return static_cast<size_t>(std::lround(seconds * sample_rate_));
  };
  const size_t pause = first_ ? 0 : samples(options_.pause_s);
  first_ = false;
  std::vector<float> out(pause + sentence.size());
  const std::span<float> sound = std::span(out).subspan(pause);
  std::ranges::copy(sentence, sound.begin());
  fade_ends(sound, samples(options_.fade_s));
  const float factor = guard_peak(sound);
  if (factor < 1) {
    log::info("a sentence was {:.1f} dB too loud and is brought down by as much",
              -audio::to_db(factor));
  }
  return out;
}

}  // namespace seda::speak
