// SPDX-License-Identifier: Apache-2.0
#include "seda/model/detail/noise_launch_cuda.h"

namespace seda::model::detail {
namespace {

constexpr int kThreads = 256;

__device__ inline void normal_pair(uint32_t first, uint32_t second, float* values) {
  const float radius = sqrtf(-2.0F * logf(noise_positive_fraction(first)));
  float sine = 0.0F;
  float cosine = 0.0F;
  sincospif(2.0F * noise_fraction(second), &sine, &cosine);
  values[0] = radius * cosine;
  values[1] = radius * sine;
}

__device__ inline void group_of(const NoiseTask& task, const PhiloxCounter& random, float* values) {
  if (task.kind == NoiseKind::normal) {
    normal_pair(random.words[0], random.words[1], values);
    normal_pair(random.words[2], random.words[3], values + 2);
    return;
  }
  for (int i = 0; i < kNoiseGroup; ++i) {
    const float fraction = noise_fraction(random.words[i]);
    const float kept = fraction < task.keep ? 1.0F / task.keep : 0.0F;
    values[i] = task.kind == NoiseKind::uniform ? fraction : kept;
  }
}

__global__ void fill(NoiseTask task) {
  const int64_t groups = noise_groups(task);
  const int64_t place = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (place >= groups * task.rows) return;
  const int64_t row = place / groups;
  const int64_t group = place % groups;
  const auto batch = static_cast<uint64_t>(*task.batch);
  float values[kNoiseGroup];
  group_of(task, noise_words(task, batch, row, group), values);
  const int64_t first = group * kNoiseGroup;
  for (int i = 0; i < kNoiseGroup && first + i < task.row_size; ++i)
    task.values[row * task.row_size + first + i] = values[i];
}

}  // namespace

cudaError_t run_noise(const NoiseTask& task, cudaStream_t stream) {
  const int64_t threads = noise_groups(task) * task.rows;
  if (threads == 0) return cudaSuccess;
  const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  fill<<<blocks, kThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace seda::model::detail
