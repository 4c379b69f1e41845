// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <cuda_bf16.h>

/// Eight neighbouring channels, as fp32 in registers: what a thread of the element-wise kernels
/// holds. In memory they are fp32 or bf16 and begin at a multiple of 16 bytes. For nvcc alone.
namespace seda::model::detail {

constexpr int kEight = 8;

struct Eight {
  float values[kEight];
};

/// The same as it lies in memory: half the registers of bf16.
template <typename Value>
struct Packed {
  uint4 words[kEight * sizeof(Value) / sizeof(uint4)];
};

template <typename Value>
__device__ Packed<Value> load_packed(const Value* from) {
  return *reinterpret_cast<const Packed<Value>*>(from);
}

__device__ inline Eight unpacked(const Packed<float>& packed) {
  const uint4 a = packed.words[0];
  const uint4 b = packed.words[1];
  return {{__uint_as_float(a.x), __uint_as_float(a.y), __uint_as_float(a.z), __uint_as_float(a.w),
           __uint_as_float(b.x), __uint_as_float(b.y), __uint_as_float(b.z), __uint_as_float(b.w)}};
}

/// The two bf16 of a word: a bf16 is the upper half of an fp32.
__device__ inline void split_word(uint32_t word, float* pair) {
  pair[0] = __uint_as_float(word << 16);
  pair[1] = __uint_as_float(word & 0xffff0000U);
}

__device__ inline Eight unpacked(const Packed<__nv_bfloat16>& packed) {
  const uint4 words = packed.words[0];
  Eight eight;
  split_word(words.x, eight.values);
  split_word(words.y, eight.values + 2);
  split_word(words.z, eight.values + 4);
  split_word(words.w, eight.values + 6);
  return eight;
}

template <typename Value>
__device__ Eight load_eight(const Value* from) {
  return unpacked(load_packed(from));
}

__device__ inline void store_eight(float* to, const Eight& eight) {
  auto* const quads = reinterpret_cast<float4*>(to);
  const float* v = eight.values;
  quads[0] = make_float4(v[0], v[1], v[2], v[3]);
  quads[1] = make_float4(v[4], v[5], v[6], v[7]);
}

__device__ inline uint32_t joined_word(const float* pair) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(pair[0], pair[1]);
  return *reinterpret_cast<const uint32_t*>(&both);
}

__device__ inline void store_eight(__nv_bfloat16* to, const Eight& eight) {
  const float* v = eight.values;
  *reinterpret_cast<uint4*>(to) =
      make_uint4(joined_word(v), joined_word(v + 2), joined_word(v + 4), joined_word(v + 6));
}

__device__ inline void store_one(float* to, float value) {
  *to = value;
}

__device__ inline void store_one(__nv_bfloat16* to, float value) {
  *to = __float2bfloat16_rn(value);
}

/// What a value is once it was written as `Value` and read again.
template <typename Value>
__device__ float rounded(float value) {
  if constexpr (sizeof(Value) == sizeof(float)) {
    return value;
  } else {
    return __bfloat162float(__float2bfloat16_rn(value));
  }
}

__device__ inline void add_to(Eight& sum, const Eight& more) {
#pragma unroll
  for (int i = 0; i < kEight; ++i)
    sum.values[i] += more.values[i];
}

__device__ inline float total(const Eight& eight) {
  float sum = 0.0F;
#pragma unroll
  for (int i = 0; i < kEight; ++i)
    sum += eight.values[i];
  return sum;
}

}  // namespace seda::model::detail
