// SPDX-License-Identifier: Apache-2.0
// Natural logarithm of vectors. Compiled once for each instruction set (Highway's
// foreach_target.h).
#if defined(SEDA_AUDIO_LOG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SEDA_AUDIO_LOG_INL_H_
#undef SEDA_AUDIO_LOG_INL_H_
#else
#define SEDA_AUDIO_LOG_INL_H_
#endif

#include <cstdint>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace seda::audio::detail::HWY_NAMESPACE {

/// Natural logarithm of positive, normal, finite values, to two units in the last place
/// (tests/audio/log_test.cpp).
///
/// x = 2^e · (1 + f) with 1 + f from sqrt(1/2) to sqrt(2); log(1 + f) by the polynomial of Cephes'
/// logf; e · log 2 is added in two parts, of which the first has few digits.
template <class D, class V>
HWY_INLINE V natural_log(D d, V x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::RebindToSigned<D> integers;
  const auto bits = hn::BitCast(integers, x);
  const auto exponent =
      hn::ShiftRight<23>(hn::Sub(bits, hn::Set(integers, int32_t{0x3f3504f3})));  // of sqrt(1/2)
  const V e = hn::ConvertTo(d, exponent);
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(exponent))), hn::Set(d, 1.0F));
  const V square = hn::Mul(f, f);
  V p = hn::Set(d, 7.0376836292e-2F);
  p = hn::MulAdd(p, f, hn::Set(d, -1.1514610310e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, 1.1676998740e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, -1.2420140846e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, 1.4249322787e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, -1.6668057665e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, 2.0000714765e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, -2.4999993993e-1F));
  p = hn::MulAdd(p, f, hn::Set(d, 3.3333331174e-1F));
  V rest = hn::Mul(hn::Mul(p, f), square);
  rest = hn::MulAdd(e, hn::Set(d, -2.12194440e-4F), rest);
  rest = hn::NegMulAdd(hn::Set(d, 0.5F), square, rest);
  return hn::MulAdd(e, hn::Set(d, 0.693359375F), hn::Add(f, rest));
}

}  // namespace seda::audio::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard
