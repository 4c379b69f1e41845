// SPDX-License-Identifier: Apache-2.0
#include "seda/audio/detail/bands_to_bins.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "seda/audio/detail/bands_to_bins.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// One bin of a vector of frames. Two sums, so that one addition need not wait for the other.
HWY_INLINE hn::Vec<hn::ScalableTag<float>> bin_of(const float* HWY_RESTRICT row,
                                                  const Spectrum& bands, size_t frame) {
  const hn::ScalableTag<float> d;
  auto even = hn::Zero(d);
  auto odd = hn::Zero(d);
  size_t band = 0;
  for (; band + 1 < bands.bins(); band += 2) {
    even = hn::MulAdd(hn::Set(d, row[band]), hn::Load(d, &bands.real(band, frame)), even);
    odd = hn::MulAdd(hn::Set(d, row[band + 1]), hn::Load(d, &bands.real(band + 1, frame)), odd);
  }
  if (band < bands.bins())
    even = hn::MulAdd(hn::Set(d, row[band]), hn::Load(d, &bands.real(band, frame)), even);
  return hn::Max(hn::Add(even, odd), hn::Zero(d));
}

void multiply(std::span<const float> matrix, const Spectrum& bands, Spectrum& bins) {
  const hn::ScalableTag<float> d;
  for (size_t frame = 0; frame < bins.frames(); frame += hn::Lanes(d)) {
    for (size_t bin = 0; bin < bins.bins(); ++bin) {
      const float* row = matrix.data() + bin * bands.bins();
      hn::Store(bin_of(row, bands, frame), d, &bins.real(bin, frame));
    }
  }
}

}  // namespace
}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace seda::audio::detail {

HWY_EXPORT(multiply);

void bands_to_bins(std::span<const float> matrix, const Spectrum& bands, Spectrum& bins) {
  HWY_DYNAMIC_DISPATCH(multiply)(matrix, bands, bins);
}

}  // namespace seda::audio::detail
#endif  // HWY_ONCE
