// SPDX-License-Identifier: Apache-2.0
#include "seda/model/detail/norm_launch_cuda.h"
#include "seda/model/detail/norm_place_cuda.h"

namespace seda::model::detail {
namespace {

constexpr float kEpsilon = 1e-5F;

template <typename Value>
__device__ Eight load_vector(const NormVector& vector, int row, int channel) {
  return load_eight(static_cast<const Value*>(vector.values) + row * vector.row_stride + channel);
}

/// What norms are multiplied by.
template <typename Value>
__device__ Eight load_factor(const NormTask& task, int row, int channel) {
  Eight factor = load_vector<Value>(task.factor, row, channel);
  if (task.per_row) {
#pragma unroll
    for (int i = 0; i < kEight; ++i)
      factor.values[i] += 1.0F;
  }
  return factor;
}

/// x, and the branch added where there is one.
template <typename Value, bool drops>
__device__ Eight sum_of(const NormTask& task, int row, int t, int channel) {
  const int64_t at = (static_cast<int64_t>(row) * task.time + t) * task.channels + channel;
  Eight sum = load_eight(static_cast<const Value*>(task.x) + at);
  if (task.branch == nullptr) return sum;
  Eight branch = load_eight(static_cast<const Value*>(task.branch) + at);
  if constexpr (drops) multiply_by_keep(task, row, t, channel, branch);
  if (task.gate.values != nullptr) {
    const Eight gate = load_vector<Value>(task.gate, row, channel);
#pragma unroll
    for (int i = 0; i < kEight; ++i)
      branch.values[i] *= gate.values[i];
  }
#pragma unroll
  for (int i = 0; i < kEight; ++i)
    sum.values[i] = rounded<Value>(sum.values[i] + branch.values[i]);
  store_eight(static_cast<Value*>(task.sum) + at, sum);
  return sum;
}

/// Each place writes itself where its neighbours look for it, and the zeros at the array's ends.
template <typename Value>
__device__ void store_three(const NormTask& task, int row, int t, int channel, const Eight& out) {
  const int64_t place = static_cast<int64_t>(row) * task.time + t;
  const int64_t slot = task.channels;
  auto* const own = static_cast<Value*>(task.out) + place * 3 * slot + channel;
  const Eight zero = {};
  const Eight value = t < task.lengths[row] ? out : zero;
  store_eight(own + slot, value);
  if (t + 1 < task.time) {
    store_eight(own + 3 * slot, value);  // as what is before the next place
  } else {
    store_eight(own + 2 * slot, zero);
  }
  if (t > 0) {
    store_eight(own - slot, value);  // as what is after the last place
  } else {
    store_eight(own, zero);
  }
}

template <typename Value>
__device__ void store_out(const NormTask& task, int row, int t, int channel, const Eight& out) {
  if (task.three) return store_three<Value>(task, row, t, channel, out);
  const int64_t at = (static_cast<int64_t>(row) * task.time + t) * task.channels + channel;
  store_eight(static_cast<Value*>(task.out) + at, out);
}

template <typename Value, bool drops>
__global__ void __launch_bounds__(kMostThreads) norm_kernel(NormTask task) {
  __shared__ Shared shared[2];
  const Seat seat = seat_of(task.channels);
  const int warps = warps_of(task.channels);
  const int place = static_cast<int>(blockIdx.x) * groups_of(task.channels) + seat.group;
  const bool works = place < task.batch * task.time && seat.channel < task.channels;
  const int row = place / task.time;
  const int t = place % task.time;
  Eight sum = {};
  if (works) sum = sum_of<Value, drops>(task, row, t, seat.channel);

  const auto channels = static_cast<float>(task.channels);
  float sums[1] = {total(sum)};
  sum_over_place(sums, warps, &shared[0]);
  const float mean = sums[0] / channels;
  float squares[1] = {0.0F};
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    const float distance = works ? sum.values[i] - mean : 0.0F;
    squares[0] += distance * distance;
  }
  sum_over_place(squares, warps, &shared[1]);
  const float inverse = rsqrtf(squares[0] / channels + kEpsilon);
  if (!works) return;

  if (seat.channel == 0) {
    task.mean[place] = mean;
    task.inverse[place] = inverse;
  }
  const Eight factor = load_factor<Value>(task, row, seat.channel);
  const Eight shift = load_vector<Value>(task.shift, row, seat.channel);
  Eight out;
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    const float value =
        fmaf(normed(sum.values[i], mean, inverse), factor.values[i], shift.values[i]);
    out.values[i] = task.relu && is_cut(value) ? 0.0F : value;
  }
  store_out<Value>(task, row, t, seat.channel, out);
}

template <typename Value>
cudaError_t run(const NormTask& task, cudaStream_t stream) {
  const int groups = groups_of(task.channels);
  const int blocks = (task.batch * task.time + groups - 1) / groups;
  auto* const kernel = task.drops ? norm_kernel<Value, true> : norm_kernel<Value, false>;
  kernel<<<blocks, threads_of(task.channels), 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace

cudaError_t run_norm(const NormTask& task, cudaStream_t stream) {
  if (task.batch == 0 || task.time == 0) return cudaSuccess;
  return task.bfloat16 ? run<__nv_bfloat16>(task, stream) : run<float>(task, stream);
}

}  // namespace seda::model::detail
