// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fourier transforms of a few points that a thread holds in registers. Indices are known to the
/// compiler, so that reordering costs nothing.
namespace seda::audio::detail {

struct alignas(8) Complex {
  float re, im;
};

__device__ __forceinline__ Complex operator+(Complex a, Complex b) {
  return {a.re + b.re, a.im + b.im};
}
__device__ __forceinline__ Complex operator-(Complex a, Complex b) {
  return {a.re - b.re, a.im - b.im};
}
__device__ __forceinline__ Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// a · -j
__device__ __forceinline__ Complex turn_right(Complex a) {
  return {a.im, -a.re};
}

/// Puts a + b · turn and a - b · turn into `sum` and `gap`, by six fused operations.
__device__ __forceinline__ void butterfly(Complex a, Complex b, Complex turn, Complex& sum,
                                          Complex& gap) {
  sum = {fmaf(-turn.im, b.im, fmaf(turn.re, b.re, a.re)),
         fmaf(turn.im, b.re, fmaf(turn.re, b.im, a.im))};
  gap = {fmaf(2.0F, a.re, -sum.re), fmaf(2.0F, a.im, -sum.im)};
}

/// cos(2π · k / 32), for any k.
__host__ __device__ constexpr float cos32(int k) {
  constexpr float kQuarter[9] = {1.0F,         0.980785280F, 0.923879533F,
                                 0.831469612F, 0.707106781F, 0.555570233F,
                                 0.382683432F, 0.195090322F, 0.0F};
  k &= 31;
  if (k > 16) k = 32 - k;
  return k <= 8 ? kQuarter[k] : -kQuarter[16 - k];
}

/// The last step of a transform of n points: of the halves at even and at odd places.
template <int n, int k = 0>
__device__ __forceinline__ void join_halves(const Complex (&even)[n / 2],
                                            const Complex (&odd)[n / 2], Complex (&out)[n]) {
  if constexpr (k < n / 2) {
    constexpr int kTurn = k * 32 / n;
    if constexpr (kTurn == 0) {
      out[k] = even[k] + odd[k];
      out[k + n / 2] = even[k] - odd[k];
    } else if constexpr (kTurn == 8) {
      out[k] = even[k] + turn_right(odd[k]);
      out[k + n / 2] = even[k] - turn_right(odd[k]);
    } else {
      constexpr Complex kFactor{cos32(kTurn), -cos32(kTurn - 8)};
      butterfly(even[k], odd[k], kFactor, out[k], out[k + n / 2]);
    }
    join_halves<n, k + 1>(even, odd, out);
  }
}

/// The transform of n of 32 points: those at first, first + 32 / n, …; from the sums and gaps of
/// points 16 apart.
template <int n, int first = 0>
__device__ __forceinline__ void fft32_part(const Complex (&sums)[16], const Complex (&gaps)[16],
                                           Complex (&out)[n]) {
  if constexpr (n == 2) {
    out[0] = sums[first];
    out[1] = gaps[first];
  } else {
    Complex even[n / 2];
    Complex odd[n / 2];
    fft32_part<n / 2, first>(sums, gaps, even);
    fft32_part<n / 2, first + 32 / n>(sums, gaps, odd);
    join_halves<n>(even, odd, out);
  }
}

/// The 32-point transform, in order, of points given by sums[i] = x[i] + x[i + 16] and gaps[i] =
/// x[i] - x[i + 16]: whoever brings the points can often fuse these with what came before.
__device__ __forceinline__ void fft32(const Complex (&sums)[16], const Complex (&gaps)[16],
                                      Complex (&out)[32]) {
  fft32_part<32>(sums, gaps, out);
}

/// The four-point transform of (a, b, c, d), in place.
__device__ __forceinline__ void fft4(Complex& a, Complex& b, Complex& c, Complex& d) {
  const Complex even_sum = a + c;
  const Complex even_gap = a - c;
  const Complex odd_sum = b + d;
  const Complex odd_gap = turn_right(b - d);
  a = even_sum + odd_sum;
  b = even_gap + odd_gap;
  c = even_sum - odd_sum;
  d = even_gap - odd_gap;
}

}  // namespace seda::audio::detail
