// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "seda/audio/detail/mel_kernel.h"
#include "seda/audio/mel_tables.h"

namespace seda::audio::detail {
namespace {

void add_band(const MelBand& band, MelKernelPlan& plan) {
  plan.bands.push_back({static_cast<uint32_t>(band.first),
                        static_cast<uint32_t>(band.weights.size()),
                        static_cast<uint32_t>(plan.weights.size())});
  for (const double weight : band.weights)
    plan.weights.push_back(static_cast<float>(weight));
}

/// The bins that some band needs.
FftPlan transform_of(const MelOptions& options, const std::vector<MelKernelBand>& bands) {
  size_t first = static_cast<size_t>(options.n_fft) / 2;
  size_t end = 0;
  for (const MelKernelBand& band : bands) {
    if (band.count == 0) continue;
    first = std::min<size_t>(first, band.first);
    end = std::max<size_t>(end, band.first + band.count);
  }
  return make_fft_plan(static_cast<size_t>(options.n_fft), first, end);
}

}  // namespace

MelKernelPlan make_mel_kernel_plan(const MelOptions& options) {
  MelKernelPlan plan;
  plan.framing = framing_of(options);
  for (const double value : mel_window(options))
    plan.window.push_back(static_cast<float>(value / 2));
  for (const MelBand& band : mel_bands(options))
    add_band(band, plan);
  plan.fft = transform_of(options, plan.bands);
  plan.power = options.power;
  plan.floor = static_cast<float>(options.floor);
  plan.log_factor =
      options.compression == Compression::log ? 1.0F : static_cast<float>(std::numbers::log10e);
  return plan;
}

MelKernelBuffers::MelKernelBuffers(const MelKernelPlan& plan)
    : edge(plan.framing.hop * plan.framing.columns(kMaxLanes)),
      polyphase(plan.framing.hop * plan.framing.columns(kMaxLanes) + kMaxLanes),
      points(2 * fft_memory(plan.fft) * kMaxLanes),
      spectrum((plan.framing.n_fft / 2 + 1) * kMaxLanes),
      offsets(plan.framing.n_fft) {}

}  // namespace seda::audio::detail
