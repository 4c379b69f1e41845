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

/// Reads and writes points. With kSwapped the real and the imaginary part change places, which
/// makes the transform its own inverse but for the factor `points`.
template <bool kSwapped>
struct PointsAt {
  float* data;

  static constexpr size_t kLanes = hn::MaxLanes(Tag());

  HWY_INLINE Complex load(size_t position) const {
    const float* at = data + 2 * kLanes * position;
    const Vector first = hn::Load(Tag(), at);
    const Vector second = hn::Load(Tag(), at + kLanes);
    if constexpr (kSwapped) {
      return {second, first};
    } else {
      return {first, second};
    }
  }

  HWY_INLINE void store(size_t position, const Complex& value) const {
    float* at = data + 2 * kLanes * position;
    hn::Store(kSwapped ? value.im : value.re, Tag(), at);
    hn::Store(kSwapped ? value.re : value.im, Tag(), at + kLanes);
  }

  PointsAt from(size_t position) const { return {data + 2 * kLanes * position}; }
};

/// One block: takes points from `source` and leaves them in `points`.
template <int kRadix, bool kTwiddled, class Source, class Points>
HWY_INLINE void pass_block(const Source& source, const Points& points, size_t span,
                           const float* HWY_RESTRICT twiddles) {
  for (size_t j = 0; j < span; ++j) {
    Complex x[kRadix];
    HWY_UNROLL(8)
    for (int q = 0; q < kRadix; ++q)
      x[q] = source.load(j + span * static_cast<size_t>(q));
    Butterfly<kRadix>::apply(x);
    points.store(j, x[0]);
    HWY_UNROLL(8)
    for (int p = 1; p < kRadix; ++p) {
      if constexpr (kTwiddled) x[p] = turned(x[p], twiddles[2 * p - 2], twiddles[2 * p - 1]);
      points.store(j + span * static_cast<size_t>(p), x[p]);
    }
    if constexpr (kTwiddled) twiddles += 2 * (kRadix - 1);
  }
}

template <int kRadix, class Source, class Points>
HWY_INLINE void pass_of_radix(const Source& source, const Points& points, size_t span,
                              const float* twiddles) {
  if (span == 1) {
    pass_block<kRadix, false>(source, points, 1, twiddles);
  } else {
    pass_block<kRadix, true>(source, points, span, twiddles);
  }
}

/// The first pass, over all points.
template <class Source, class Points>
HWY_INLINE void first_pass(const FftPlan& plan, const Source& source, const Points& points) {
  const FftPass& pass = plan.passes.front();
  const float* twiddles = plan.twiddles.data() + pass.twiddles;
  switch (pass.radix) {
    case 8:
      return pass_of_radix<8>(source, points, pass.span, twiddles);
    case 5:
      return pass_of_radix<5>(source, points, pass.span, twiddles);
    case 4:
      return pass_of_radix<4>(source, points, pass.span, twiddles);
    case 3:
      return pass_of_radix<3>(source, points, pass.span, twiddles);
    default:
      return pass_of_radix<2>(source, points, pass.span, twiddles);
  }
}

/// In place, over `count` blocks that follow one another.
template <int kRadix, class Points>
HWY_NOINLINE void pass_blocks(Points points, size_t count, size_t span, const float* twiddles) {
  if (span == 1) {
    for (size_t b = 0; b < count; ++b)
      pass_block<kRadix, false>(points.from(b * kRadix), points.from(b * kRadix), 1, nullptr);
  } else {
    for (size_t b = 0; b < count; ++b) {
      const Points block = points.from(b * kRadix * span);
      pass_block<kRadix, true>(block, block, span, twiddles);
    }
  }
}

template <class Points>
void pass_blocks(const FftPass& pass, const Points& points, size_t count, const float* twiddles) {
  switch (pass.radix) {
    case 8:
      return pass_blocks<8>(points, count, pass.span, twiddles);
    case 5:
      return pass_blocks<5>(points, count, pass.span, twiddles);
    case 4:
      return pass_blocks<4>(points, count, pass.span, twiddles);
    case 3:
      return pass_blocks<3>(points, count, pass.span, twiddles);
    default:
      return pass_blocks<2>(points, count, pass.span, twiddles);
  }
}

/// All passes but the first, over one block of the first: what they touch stays in the cache.
template <class Points>
void later_passes(const FftPlan& plan, const Points& points, size_t block) {
  size_t left = plan.passes.front().span;
  const Points at = points.from(block * left);
  size_t count = 1;
  for (size_t i = 1; i < plan.passes.size(); ++i) {
    const FftPass& pass = plan.passes[i];
    pass_blocks(pass, at, count, plan.twiddles.data() + pass.twiddles);
    count *= static_cast<size_t>(pass.radix);
  }
}

/// Twice the wanted bins of a real transform from its points, by `store(bin, value)`.
template <class Points, class Store>
HWY_INLINE void make_bins(const FftPlan& plan, const FftPairs& group, const Points& points,
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
  const PointsAt<false> points{scratch};
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
