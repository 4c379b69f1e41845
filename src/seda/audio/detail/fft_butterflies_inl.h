// SPDX-License-Identifier: Apache-2.0
// Transforms of 2, 3, 4, 5 and 8 complex points in registers; every lane of a vector is a transform
// of its own. Compiled once for each instruction set (Highway's foreach_target.h).
#if defined(SEDA_AUDIO_FFT_BUTTERFLIES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SEDA_AUDIO_FFT_BUTTERFLIES_INL_H_
#undef SEDA_AUDIO_FFT_BUTTERFLIES_INL_H_
#else
#define SEDA_AUDIO_FFT_BUTTERFLIES_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;

struct Complex {
  HWY_INLINE Complex() = default;  // an implicit one would be compiled for the baseline
  HWY_INLINE Complex(Vector real, Vector imaginary) : re(real), im(imaginary) {}

  Vector re;
  Vector im;
};

HWY_INLINE Complex operator+(const Complex& a, const Complex& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

HWY_INLINE Complex operator-(const Complex& a, const Complex& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}

HWY_INLINE Complex scaled(const Complex& a, Vector factor) {
  return {hn::Mul(a.re, factor), hn::Mul(a.im, factor)};
}

/// a + factor · b
HWY_INLINE Complex plus_scaled(const Complex& a, Vector factor, const Complex& b) {
  return {hn::MulAdd(factor, b.re, a.re), hn::MulAdd(factor, b.im, a.im)};
}

/// a - factor · b
HWY_INLINE Complex minus_scaled(const Complex& a, Vector factor, const Complex& b) {
  return {hn::NegMulAdd(factor, b.re, a.re), hn::NegMulAdd(factor, b.im, a.im)};
}

/// a + j · b
HWY_INLINE Complex plus_turned(const Complex& a, const Complex& b) {
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}

/// a - j · b
HWY_INLINE Complex minus_turned(const Complex& a, const Complex& b) {
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}

HWY_INLINE Complex conjugate(const Complex& a) {
  return {a.re, hn::Neg(a.im)};
}

/// a · (cosine + j · sine)
HWY_INLINE Complex turned(const Complex& a, float cosine, float sine) {
  const Tag tag;
  const Vector c = hn::Set(tag, cosine);
  const Vector s = hn::Set(tag, sine);
  return {hn::NegMulAdd(a.im, s, hn::Mul(a.re, c)), hn::MulAdd(a.im, c, hn::Mul(a.re, s))};
}

template <size_t kRadix>
struct Butterfly;

template <>
struct Butterfly<2> {
  static HWY_INLINE void apply(Complex* x) {
    const Complex sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  }
};

template <>
struct Butterfly<3> {
  static HWY_INLINE void apply(Complex* x) {
    const Tag tag;
    const Complex sum = x[1] + x[2];
    const Complex side = scaled(x[1] - x[2], hn::Set(tag, 0.866025403784438647F));
    const Complex middle = minus_scaled(x[0], hn::Set(tag, 0.5F), sum);
    x[0] = x[0] + sum;
    x[1] = minus_turned(middle, side);
    x[2] = plus_turned(middle, side);
  }
};

template <>
struct Butterfly<4> {
  static HWY_INLINE void apply(Complex* x) {
    const Complex sum_even = x[0] + x[2];
    const Complex difference_even = x[0] - x[2];
    const Complex sum_odd = x[1] + x[3];
    const Complex difference_odd = x[1] - x[3];
    x[0] = sum_even + sum_odd;
    x[1] = minus_turned(difference_even, difference_odd);
    x[2] = sum_even - sum_odd;
    x[3] = plus_turned(difference_even, difference_odd);
  }
};

template <>
struct Butterfly<5> {
  static HWY_INLINE void apply(Complex* x) {
    const Tag tag;
    const Vector cosine1 = hn::Set(tag, 0.309016994374947424F);
    const Vector cosine2 = hn::Set(tag, -0.809016994374947424F);
    const Vector sine1 = hn::Set(tag, 0.951056516295153572F);
    const Vector sine2 = hn::Set(tag, 0.587785252292473129F);
    const Complex outer = x[1] + x[4];
    const Complex inner = x[2] + x[3];
    const Complex outer_side = x[1] - x[4];
    const Complex inner_side = x[2] - x[3];
    const Complex real1 = plus_scaled(plus_scaled(x[0], cosine1, outer), cosine2, inner);
    const Complex real2 = plus_scaled(plus_scaled(x[0], cosine2, outer), cosine1, inner);
    const Complex side1 = plus_scaled(scaled(outer_side, sine1), sine2, inner_side);
    const Complex side2 = minus_scaled(scaled(outer_side, sine2), sine1, inner_side);
    x[0] = x[0] + outer + inner;
    x[1] = minus_turned(real1, side1);
    x[2] = minus_turned(real2, side2);
    x[3] = plus_turned(real2, side2);
    x[4] = plus_turned(real1, side1);
  }
};

/// Two transforms of four points: of the sums, which gives the even outputs, and of the turned
/// differences, whose factor sqrt(1/2) is left to the last step.
template <>
struct Butterfly<8> {
  static HWY_INLINE void apply(Complex* x) {
    Complex sums[4] = {x[0] + x[4], x[1] + x[5], x[2] + x[6], x[3] + x[7]};
    const Complex d0 = x[0] - x[4];
    const Complex d1 = x[1] - x[5];
    const Complex d2 = x[2] - x[6];
    const Complex d3 = x[3] - x[7];
    Butterfly<4>::apply(sums);
    const Complex even = minus_turned(d0, d2);
    const Complex odd = plus_turned(d0, d2);
    const Complex turned1 = minus_turned(d1, d1);  // (1 - j) · d1
    const Complex turned3 = {hn::Sub(d3.im, d3.re),
                             hn::Add(d3.re, d3.im)};  // of (-1 - j) · d3, im negated
    const Complex sum = {hn::Add(turned1.re, turned3.re), hn::Sub(turned1.im, turned3.im)};
    const Complex difference = {hn::Sub(turned1.re, turned3.re), hn::Add(turned1.im, turned3.im)};
    const Vector half = hn::Set(Tag(), 0.707106781186547524F);
    x[0] = sums[0];
    x[1] = plus_scaled(even, half, sum);
    x[2] = sums[1];
    x[3] = {hn::MulAdd(half, difference.im, odd.re), hn::NegMulAdd(half, difference.re, odd.im)};
    x[4] = sums[2];
    x[5] = minus_scaled(even, half, sum);
    x[6] = sums[3];
    x[7] = {hn::NegMulAdd(half, difference.im, odd.re), hn::MulAdd(half, difference.re, odd.im)};
  }
};

}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
