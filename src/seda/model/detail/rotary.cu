// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>

#include "seda/model/detail/rotary_launch_cuda.h"

namespace seda::model::detail {
namespace {

constexpr int kThreads = 256;

/// What is read and written at once.
template <typename T>
struct alignas(kRotaryVectorBytes) Vector {
  static constexpr int kSize = kRotaryVectorBytes / sizeof(T);
  T values[kSize];
};

__device__ inline float widened(float value) {
  return value;
}

__device__ inline float widened(__nv_bfloat16 value) {
  return __bfloat162float(value);
}

__device__ inline void narrow_to(float value, float& result) {
  result = value;
}

__device__ inline void narrow_to(float value, __nv_bfloat16& result) {
  result = __float2bfloat16(value);
}

template <typename T>
__device__ inline Vector<T> load(const void* array, int64_t place) {
  return *reinterpret_cast<const Vector<T>*>(static_cast<const T*>(array) + place);
}

template <typename T>
__device__ inline void store(void* array, int64_t place, const Vector<T>& vector) {
  *reinterpret_cast<Vector<T>*>(static_cast<T*>(array) + place) = vector;
}

/// Channels of a first half and their partners of the second, which become
/// (a cos - b sin, b cos + a sin).
template <typename T>
struct Pairs {
  Vector<T> first;
  Vector<T> second;
};

template <typename T>
__device__ inline Pairs<T> turned(const Pairs<T>& pairs, const Vector<T>& cosine,
                                  const Vector<T>& sine, float sign) {
  Pairs<T> result;
#pragma unroll
  for (int i = 0; i < Vector<T>::kSize; ++i) {
    const float a = widened(pairs.first.values[i]);
    const float b = widened(pairs.second.values[i]);
    const float c = widened(cosine.values[i]);
    const float s = sign * widened(sine.values[i]);
    narrow_to(a * c - b * s, result.first.values[i]);
    narrow_to(b * c + a * s, result.second.values[i]);
  }
  return result;
}

/// A place of a part, in whole vectors of pairs.
struct RotaryPlace {
  int64_t batch;
  int64_t time;
  int64_t head;
  int64_t channel;
};

__device__ inline RotaryPlace place_of(const RotaryTask& task, uint32_t index, uint32_t vector) {
  const auto vectors = static_cast<uint32_t>(task.head_size) / 2 / vector;
  const auto heads = static_cast<uint32_t>(task.heads);
  const auto time = static_cast<uint32_t>(task.time);
  const uint32_t of_heads = index / vectors;
  const uint32_t of_times = of_heads / heads;
  return {of_times / time, of_times % time, of_heads % heads,
          static_cast<int64_t>(index % vectors) * vector};
}

__device__ inline int64_t offset_of(const RotaryPlace& place, const RotaryStrides& strides) {
  return place.batch * strides.batch + place.time * strides.time + place.head * strides.head +
         place.channel;
}

__host__ __device__ inline int64_t pair_vectors(const RotaryTask& task, int64_t vector) {
  return int64_t{task.batch} * task.time * task.heads * (task.head_size / 2 / vector);
}

/// A block's parts are alike: `blockIdx.y` numbers them.
template <typename T>
__global__ void turn(const __grid_constant__ RotaryTask task) {
  const uint32_t index = blockIdx.x * kThreads + threadIdx.x;
  if (index >= pair_vectors(task, Vector<T>::kSize)) return;
  const RotaryPart& part = task.parts[blockIdx.y];
  const RotaryPlace place = place_of(task, index, Vector<T>::kSize);
  const int64_t half = task.head_size / 2;
  const int64_t from = offset_of(place, part.from_strides);
  Pairs<T> pairs{load<T>(part.from, from), load<T>(part.from, from + half)};
  if (blockIdx.y < 2) {
    const auto cosine = load<T>(task.cosine, place.time * task.cosine_stride + place.channel);
    const auto sine = load<T>(task.sine, place.time * task.sine_stride + place.channel);
    pairs = turned(pairs, cosine, sine, task.sign);
  }
  const int64_t to = offset_of(place, part.to_strides);
  store(part.to, to, pairs.first);
  store(part.to, to + half, pairs.second);
}

template <typename T>
cudaError_t launch(const RotaryTask& task, cudaStream_t stream) {
  const int64_t threads = pair_vectors(task, Vector<T>::kSize);
  if (threads == 0) return cudaSuccess;
  if (threads > INT32_MAX) return cudaErrorInvalidValue;
  const dim3 blocks(static_cast<unsigned>((threads + kThreads - 1) / kThreads),
                    static_cast<unsigned>(task.part_count));
  turn<T><<<blocks, kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace

cudaError_t run_rotary(const RotaryTask& task, cudaStream_t stream) {
  return task.bf16 ? launch<__nv_bfloat16>(task, stream) : launch<float>(task, stream);
}

}  // namespace seda::model::detail
