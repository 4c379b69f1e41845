// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace seda::audio::detail {

struct Complex {
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

/// cos(2π · k / 32), for any k.
__host__ __device__ constexpr float cos32(int k) {
  constexpr float kQuarter[9] = {1.0F,         0.980785280F, 0.923879533F,
                                 0.831469612F, 0.707106781F, 0.555570233F,
                                 0.382683432F, 0.195090322F, 0.0F};
  k &= 31;
  if (k > 16) k = 32 - k;
  return k <= 8 ? kQuarter[k] : -kQuarter[16 - k];
}

/// a · exp(-2πj · k / 32), for a k known to the compiler.
template <int k>
__device__ __forceinline__ Complex rotate32(Complex a) {
  constexpr int kTurn = k & 31;
  if constexpr (kTurn == 0) {
    return a;
  } else if constexpr (kTurn == 8) {
    return turn_right(a);
  } else {
    constexpr Complex kFactor{cos32(kTurn), -cos32(kTurn - 8)};
    return a * kFactor;
  }
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

/// The eight-point transform of x[0..7], in place.
__device__ __forceinline__ void fft8(Complex (&x)[8]) {
  Complex even[4] = {x[0], x[2], x[4], x[6]};
  Complex odd[4] = {x[1], x[3], x[5], x[7]};
  fft4(even[0], even[1], even[2], even[3]);
  fft4(odd[0], odd[1], odd[2], odd[3]);
  constexpr float kHalf = 0.707106781F;
  const Complex turned[4] = {odd[0],
                             {kHalf * (odd[1].re + odd[1].im), kHalf * (odd[1].im - odd[1].re)},
                             turn_right(odd[2]),
                             {kHalf * (odd[3].im - odd[3].re), -kHalf * (odd[3].re + odd[3].im)}};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    x[i] = even[i] + turned[i];
    x[i + 4] = even[i] - turned[i];
  }
}

template <int n2, int k1 = 1>
__device__ __forceinline__ void rotate_column(Complex (&x)[32]) {
  if constexpr (k1 < 4) {
    x[n2 + 8 * k1] = rotate32<n2 * k1>(x[n2 + 8 * k1]);
    rotate_column<n2, k1 + 1>(x);
  }
}

template <int n2 = 0>
__device__ __forceinline__ void fft32_columns(Complex (&x)[32]) {
  if constexpr (n2 < 8) {
    fft4(x[n2], x[n2 + 8], x[n2 + 16], x[n2 + 24]);
    rotate_column<n2>(x);
    fft32_columns<n2 + 1>(x);
  }
}

/// The 32-point transform of x, in place and in order: four by eight points.
__device__ __forceinline__ void fft32(Complex (&x)[32]) {
  fft32_columns(x);
  Complex row[4][8];
#pragma unroll
  for (int k1 = 0; k1 < 4; ++k1) {
#pragma unroll
    for (int n2 = 0; n2 < 8; ++n2)
      row[k1][n2] = x[n2 + 8 * k1];
    fft8(row[k1]);
  }
#pragma unroll
  for (int k = 0; k < 32; ++k)
    x[k] = row[k % 4][k / 4];
}

}  // namespace seda::audio::detail
