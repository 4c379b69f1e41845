// SPDX-License-Identifier: Apache-2.0
// The passes of a transform over points in memory, and the step from points to the bins of a real
// transform. Compiled once for each instruction set (Highway's foreach_target.h).
//
// Points in memory: real parts of all lanes, then imaginary parts, point after point; aligned to a
// vector. Every lane is a transform of its own.
#if defined(SEDA_AUDIO_FFT_PASSES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SEDA_AUDIO_FFT_PASSES_INL_H_
#undef SEDA_AUDIO_FFT_PASSES_INL_H_
#else
#define SEDA_AUDIO_FFT_PASSES_INL_H_
#endif

#include <hwy/highway.h>

#include "seda/audio/detail/fft_butterflies_inl.h"
#include "seda/audio/detail/fft_plan.h"

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {

constexpr size_t kLanes = hn::MaxLanes(Tag());

struct PointsAt {
  float* data;

  HWY_INLINE Complex load(size_t position) const {
    const float* at = data + 2 * kLanes * position;
    return {hn::Load(Tag(), at), hn::Load(Tag(), at + kLanes)};
  }
  HWY_INLINE void store(size_t position, const Complex& value) const {
    float* at = data + 2 * kLanes * position;
    hn::Store(value.re, Tag(), at);
    hn::Store(value.im, Tag(), at + kLanes);
  }
  HWY_INLINE PointsAt from(size_t position) const { return {data + 2 * kLanes * position}; }
};

/// One block: takes points from `source` and leaves them in `points`, in new blocks that begin
/// `stride` points apart.
template <size_t kRadix, bool kTwiddled, class Source>
HWY_INLINE void pass_block(const Source& source, const PointsAt& points, size_t span, size_t stride,
                           const float* HWY_RESTRICT twiddles) {
  for (size_t j = 0; j < span; ++j) {
    Complex x[kRadix];
    HWY_UNROLL(8)
    for (size_t q = 0; q < kRadix; ++q)
      x[q] = source.load(j + span * q);
    Butterfly<kRadix>::apply(x);
    points.store(j, x[0]);
    HWY_UNROLL(8)
    for (size_t p = 1; p < kRadix; ++p) {
      if constexpr (kTwiddled) x[p] = turned(x[p], twiddles[2 * p - 2], twiddles[2 * p - 1]);
      points.store(j + stride * p, x[p]);
    }
    if constexpr (kTwiddled) twiddles += 2 * (kRadix - 1);
  }
}

/// The first pass, over all points.
template <size_t kRadix, class Source>
HWY_INLINE void first_pass_of(const FftPlan& plan, const Source& source, const PointsAt& points) {
  const size_t span = plan.passes.front().span;
  if (span == 1) {
    pass_block<kRadix, false>(source, points, 1, plan.block_stride, nullptr);
  } else {
    pass_block<kRadix, true>(source, points, span, plan.block_stride, plan.twiddles.data());
  }
}

template <class Source>
HWY_INLINE void first_pass(const FftPlan& plan, const Source& source, const PointsAt& points) {
  switch (plan.passes.front().radix) {
    case 8:
      return first_pass_of<8>(plan, source, points);
    case 5:
      return first_pass_of<5>(plan, source, points);
    case 4:
      return first_pass_of<4>(plan, source, points);
    case 3:
      return first_pass_of<3>(plan, source, points);
    default:
      return first_pass_of<2>(plan, source, points);
  }
}

/// In place, over `count` blocks that follow one another.
template <size_t kRadix>
HWY_NOINLINE void pass_blocks_of(PointsAt points, size_t count, size_t span,
                                 const float* twiddles) {
  for (size_t b = 0; b < count; ++b) {
    const PointsAt block = points.from(b * kRadix * span);
    if (span == 1) {
      pass_block<kRadix, false>(block, block, 1, 1, nullptr);
    } else {
      pass_block<kRadix, true>(block, block, span, span, twiddles);
    }
  }
}

inline void pass_blocks(const FftPass& pass, const PointsAt& points, size_t count,
                        const float* twiddles) {
  switch (pass.radix) {
    case 8:
      return pass_blocks_of<8>(points, count, pass.span, twiddles);
    case 5:
      return pass_blocks_of<5>(points, count, pass.span, twiddles);
    case 4:
      return pass_blocks_of<4>(points, count, pass.span, twiddles);
    case 3:
      return pass_blocks_of<3>(points, count, pass.span, twiddles);
    default:
      return pass_blocks_of<2>(points, count, pass.span, twiddles);
  }
}

/// All passes but the first, over one block of the first: what they touch stays in the cache.
inline void later_passes(const FftPlan& plan, const PointsAt& points, size_t block) {
  const PointsAt at = points.from(block * plan.block_stride);
  size_t count = 1;
  for (size_t i = 1; i < plan.passes.size(); ++i) {
    const FftPass& pass = plan.passes[i];
    pass_blocks(pass, at, count, plan.twiddles.data() + pass.twiddles);
    count *= static_cast<size_t>(pass.radix);
  }
}

/// Twice the wanted bins of a real transform from its points, by `store(bin, value)`.
template <class Store>
HWY_INLINE void make_bins(const FftPlan& plan, const FftPairs& group, const PointsAt& points,
                          const Store& store) {
  const FftPair* HWY_RESTRICT pairs = plan.pairs.data();
  for (size_t i = group.begin; i < group.end; ++i) {
    const FftPair& pair = pairs[i];
    const Complex z = points.load(pair.position);
    const Complex m = points.load(pair.mirror);
    const Complex sum = {hn::Add(z.re, m.re), hn::Sub(z.im, m.im)};
    const Complex difference = {hn::Sub(z.re, m.re), hn::Add(z.im, m.im)};
    const Complex side = turned(difference, pair.cosine, pair.sine);
    store(pair.bin, minus_turned(sum, side));
    if (i >= group.one_wanted) continue;
    store(pair.mirror_bin, conjugate(plus_turned(sum, side)));
  }
}

/// n_fft real samples as points, by `source`, to twice their bins, by `store`.
template <class Source, class Store>
HWY_INLINE void real_forward(const FftPlan& plan, const Source& source, float* scratch,
                             const Store& store) {
  const PointsAt points{scratch};
  first_pass(plan, source, points);
  const auto radix = static_cast<size_t>(plan.passes.front().radix);
  for (const FftPairs& group : plan.pair_groups) {
    const auto block = static_cast<size_t>(group.residue);
    later_passes(plan, points, block);
    if (block != 0 && 2 * block != radix) later_passes(plan, points, radix - block);
    make_bins(plan, group, points, store);
  }
}

}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
