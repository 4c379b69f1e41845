// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include <ebur128.h>

#include "seda/audio/loudness.h"
#include "seda/base/error.h"

namespace seda::audio {
namespace {

struct Destroy {
  void operator()(ebur128_state* state) const { ebur128_destroy(&state); }
};
using Meter = std::unique_ptr<ebur128_state, Destroy>;

Meter make_meter(int sample_rate) {
  Meter meter(ebur128_init(1, static_cast<unsigned long>(sample_rate), EBUR128_MODE_I));
  if (meter == nullptr) {
    throw_error(ErrorKind::internal, "libebur128 refused {} Hz, one channel", sample_rate);
  }
  return meter;
}

void add(const Meter& meter, std::span<const float> samples) {
  if (ebur128_add_frames_float(meter.get(), samples.data(), samples.size()) != EBUR128_SUCCESS) {
    throw_error(ErrorKind::memory, "libebur128 found no memory for {} samples", samples.size());
  }
}

}  // namespace

std::optional<double> integrated_loudness(std::span<const float> samples, int sample_rate) {
  if (samples.empty()) return std::nullopt;
  const Meter meter = make_meter(sample_rate);
  // The library's piece is four times a tenth of a second, each rounded to whole samples.
  const size_t piece = 4 * ((static_cast<size_t>(sample_rate) + 5) / 10);
  size_t given = 0;
  do {
    add(meter, samples);
    given += samples.size();
  } while (given < piece);
  double loudness = 0;
  ebur128_loudness_global(meter.get(), &loudness);
  return std::isfinite(loudness) ? std::optional(loudness) : std::nullopt;
}

}  // namespace seda::audio
