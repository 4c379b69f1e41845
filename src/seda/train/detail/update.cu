// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>

#include "seda/train/detail/update_launch_cuda.h"

namespace seda::train::detail {
namespace {

constexpr int kThreads = 256;
constexpr int kQuad = 4;

/// Elements that are read and written at once.
template <typename T>
struct alignas(kQuad * sizeof(T)) Quad {
  T values[kQuad];
};

/// The first `count` of four; the others are zero.
__device__ inline Quad<float> read(const float* from, int count) {
  if (count == kQuad) return *reinterpret_cast<const Quad<float>*>(from);
  Quad<float> quad{};
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    if (i < count) quad.values[i] = from[i];
  }
  return quad;
}

template <typename T>
__device__ inline void write(const Quad<T>& quad, T* to, int count) {
  if (count == kQuad) {
    *reinterpret_cast<Quad<T>*>(to) = quad;
    return;
  }
#pragma unroll
  for (int i = 0; i < kQuad; ++i) {
    if (i < count) to[i] = quad.values[i];
  }
}

/// Elements from `first` on, at most four; none behind the end.
__device__ inline int count_from(int64_t first, int64_t size) {
  return static_cast<int>(max(int64_t{0}, min(int64_t{kQuad}, size - first)));
}

/// Sum over the block, by halves; for thread 0 alone.
__device__ inline double block_sum(double value) {
  __shared__ double sums[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  sums[thread] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) sums[thread] += sums[thread + half];
  }
  return sums[0];
}

__device__ inline void add_squares(Quad<float>& sums, const Quad<float>& quad) {
#pragma unroll
  for (int i = 0; i < kQuad; ++i)
    sums.values[i] += quad.values[i] * quad.values[i];
}

/// A thread adds in fp32, four sums beside each other: of 2·10⁸ weights each has some 190 squares,
/// which costs less than 1e-5 of the sum. Those of threads and blocks are added in fp64, which is
/// slow on most GPUs but little work here.
__global__ void __launch_bounds__(kThreads) sum_squares(UpdateTask task) {
  constexpr int64_t kStep = int64_t{kUpdateBlocks} * kThreads * kQuad;
  const int64_t whole = task.size / kQuad * kQuad;
  int64_t first = (int64_t{blockIdx.x} * kThreads + threadIdx.x) * kQuad;
  Quad<float> sums{};
#pragma unroll 4
  for (; first < whole; first += kStep)
    add_squares(sums, read(task.gradient + first, kQuad));
  if (first < task.size) {  // one thread, at the last elements
    add_squares(sums, read(task.gradient + first, count_from(first, task.size)));
  }
  double sum = 0;
#pragma unroll
  for (int i = 0; i < kQuad; ++i)
    sum += sums.values[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) task.squares[blockIdx.x] = sum;
}

__device__ inline UpdateNumbers numbers_of(const UpdateTask& task, float norm, float steps,
                                           float skip) {
  const double lr = *task.lr;
  const double decay = fmin(double{steps} / (double{steps} + 9), task.average_decay);
  UpdateNumbers numbers;
  numbers.gradient_scale = static_cast<float>(task.accumulation * fmax(norm / task.clip_norm, 1.0));
  numbers.first_share = static_cast<float>(1 - task.beta1);
  numbers.second_kept = static_cast<float>(task.beta2);
  numbers.second_share = static_cast<float>(1 - task.beta2);
  numbers.second_root = static_cast<float>(sqrt(1 - pow(task.beta2, double{steps})));
  numbers.epsilon = static_cast<float>(task.epsilon);
  numbers.step_size = static_cast<float>(lr / (1 - pow(task.beta1, double{steps})));
  numbers.shrink = static_cast<float>(lr * task.weight_decay);
  numbers.average_share = static_cast<float>(1 - decay);
  numbers.skip = skip;
  return numbers;
}

/// One block.
__global__ void __launch_bounds__(kThreads) find_numbers(UpdateTask task) {
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < kUpdateBlocks; i += kThreads)
    sum += task.squares[i];
  sum = block_sum(sum);
  if (threadIdx.x != 0) return;
  const auto norm = static_cast<float>(sqrt(sum) / task.accumulation);
  const float skip = isfinite(norm) ? *task.latch : 1.0F;
  const float steps = *task.steps + (1 - skip);
  *task.norm = norm;
  *task.latch = skip;
  *task.steps = steps;
  *task.numbers = numbers_of(task, norm, steps, skip);
}

/// From one to the other by `share`, exact at both ends.
__device__ inline float mixed(float from, float to, float share) {
  return share < 0.5F ? from + share * (to - from) : to - (1 - share) * (to - from);
}

/// What is kept of four weights.
struct Weights {
  Quad<float> values;
  Quad<float> first;  // moments
  Quad<float> second;
  Quad<float> average;
};

__device__ inline Weights read_weights(const UpdateTask& task, int64_t first, int count) {
  return {read(task.weights + first, count), read(task.exp_avg + first, count),
          read(task.exp_avg_sq + first, count), read(task.average + first, count)};
}

__device__ inline void write_weights(const Weights& weights, const UpdateTask& task, int64_t first,
                                     int count) {
  write(weights.values, task.weights + first, count);
  write(weights.first, task.exp_avg + first, count);
  write(weights.second, task.exp_avg_sq + first, count);
  write(weights.average, task.average + first, count);
}

__device__ inline void publish(const Quad<float>& values, uint16_t* compute, int count) {
  Quad<uint16_t> bits;
#pragma unroll
  for (int i = 0; i < kQuad; ++i)
    bits.values[i] = __bfloat16_as_ushort(__float2bfloat16_rn(values.values[i]));
  write(bits, compute, count);
}

__device__ inline void update_one(Weights& weights, int i, float summed, bool decays,
                                  const UpdateNumbers& numbers) {
  const float gradient = summed / numbers.gradient_scale;
  float& first = weights.first.values[i];
  float& second = weights.second.values[i];
  float& value = weights.values.values[i];
  first = mixed(first, gradient, numbers.first_share);
  second = numbers.second_kept * second + numbers.second_share * gradient * gradient;
  const float size = sqrtf(second) / numbers.second_root + numbers.epsilon;
  // Not times 1 - shrink: in fp32 that is too coarse where shrink is small.
  if (decays) value -= numbers.shrink * value;
  value -= numbers.step_size * first / size;
  float& average = weights.average.values[i];
  average = mixed(average, value, numbers.average_share);
}

__global__ void __launch_bounds__(kThreads) update_weights(UpdateTask task) {
  const int64_t first = (int64_t{blockIdx.x} * kThreads + threadIdx.x) * kQuad;
  const int count = count_from(first, task.size);
  if (count == 0) return;
  const UpdateNumbers numbers = *task.numbers;
  if (numbers.skip == 0) {
    const Quad<float> gradient = read(task.gradient + first, count);
    Weights weights = read_weights(task, first, count);
#pragma unroll
    for (int i = 0; i < kQuad; ++i)
      update_one(weights, i, gradient.values[i], first + i < task.decaying, numbers);
    write_weights(weights, task, first, count);
    if (task.compute != nullptr) publish(weights.values, task.compute + first, count);
  }
  if (task.accumulation > 1) write(Quad<float>{}, task.gradient + first, count);
}

bool aligned(const UpdateTask& task) {
  uintptr_t all = reinterpret_cast<uintptr_t>(task.compute);
  for (const float* array :
       {task.weights, task.gradient, task.exp_avg, task.exp_avg_sq, task.average})
    all |= reinterpret_cast<uintptr_t>(array);
  return all % alignof(Quad<float>) == 0;
}

}  // namespace

cudaError_t run_update(const UpdateTask& task, cudaStream_t stream) {
  if (!aligned(task)) return cudaErrorMisalignedAddress;
  sum_squares<<<kUpdateBlocks, kThreads, 0, stream>>>(task);
  find_numbers<<<1, kThreads, 0, stream>>>(task);
  constexpr int64_t kPerBlock = int64_t{kThreads} * kQuad;
  const auto blocks = static_cast<unsigned>((task.size + kPerBlock - 1) / kPerBlock);
  if (blocks > 0) update_weights<<<blocks, kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace seda::train::detail
