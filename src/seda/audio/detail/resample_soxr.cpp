// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <soxr.h>

#include "seda/audio/resample.h"
#include "seda/base/error.h"

namespace seda::audio {
namespace {

constexpr int kHighestRate = 1'000'000;

unsigned long recipe(ResampleQuality quality) {
  switch (quality) {
    case ResampleQuality::fast:
      return SOXR_LQ;
    case ResampleQuality::high:
      return SOXR_HQ;
    case ResampleQuality::best:
      return SOXR_VHQ;
  }
  return SOXR_HQ;
}

void check(soxr_error_t error) {
  if (error != nullptr) throw_error(ErrorKind::internal, "soxr: {}", error);
}

}  // namespace

struct Resampler::State {
  State(int from, int to, ResampleQuality wanted) {
    const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
    const soxr_quality_spec_t quality = soxr_quality_spec(recipe(wanted), 0);
    const soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
    soxr_error_t error = nullptr;
    soxr = soxr_create(from, to, 1, &error, &io, &quality, &runtime);
    check(error);
  }
  ~State() { soxr_delete(soxr); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  soxr_t soxr = nullptr;
};

Resampler::Resampler(int from_rate, int to_rate, ResampleQuality quality)
    : from_rate_(from_rate), to_rate_(to_rate) {
  if (std::min(from_rate, to_rate) < 1 || std::max(from_rate, to_rate) > kHighestRate) {
    throw_error(ErrorKind::usage, "sample rates: expected 1 to {} Hz, found {} and {}",
                kHighestRate, from_rate, to_rate);
  }
  if (from_rate != to_rate) state_ = std::make_unique<State>(from_rate, to_rate, quality);
}
Resampler::~Resampler() = default;
Resampler::Resampler(Resampler&&) noexcept = default;
Resampler& Resampler::operator=(Resampler&&) noexcept = default;

std::span<const float> Resampler::apply(std::span<const float> input) {
  if (state_ == nullptr || input.empty()) {
    output_.assign(input.begin(), input.end());
    return output_;
  }
  const auto from = static_cast<size_t>(from_rate_);
  const size_t length = (input.size() * static_cast<size_t>(to_rate_) + from - 1) / from;
  output_.assign(length, 0.0F);
  size_t made = 0;
  size_t flushed = 0;
  check(soxr_process(state_->soxr, input.data(), input.size(), nullptr, output_.data(), length,
                     &made));
  if (made < length) {
    check(soxr_process(state_->soxr, nullptr, 0, nullptr, output_.data() + made, length - made,
                       &flushed));
  }
  check(soxr_clear(state_->soxr));
  return output_;
}

}  // namespace seda::audio
