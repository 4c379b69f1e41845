// SPDX-License-Identifier: Apache-2.0
// A warp has a place, a thread eight channels in each chunk of 256 of it, so that all it needs is
// in registers and nobody waits for another warp.
#include "seda/model/detail/norm_launch_cuda.h"
#include "seda/model/detail/norm_place_cuda.h"

namespace seda::model::detail {
namespace {

constexpr float kEpsilon = 1e-5F;
constexpr int kBlockPlaces = 4;

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

/// x and the branch as they lie, all on their way from memory together.
template <typename Value, int chunks>
struct PlaceInput {
  Packed<Value> x[chunks];
  Packed<Value> branch[chunks];
};

/// What a thread has of a place: eight channels of each chunk. Zeros where there are none.
template <typename Value, int chunks>
__device__ PlaceInput<Value, chunks> read_place(const NormTask& task, int64_t place, int channel) {
  PlaceInput<Value, chunks> input = {};
  const int64_t at = place * task.channels + channel;
#pragma unroll
  for (int i = 0; i < chunks; ++i) {
    if (channel + i * kWarpChannels >= task.channels) break;
    const int64_t from = at + i * kWarpChannels;
    input.x[i] = load_packed(static_cast<const Value*>(task.x) + from);
    if (task.branch != nullptr)
      input.branch[i] = load_packed(static_cast<const Value*>(task.branch) + from);
  }
  return input;
}

/// x, and the branch added and the sum written where there is one.
template <typename Value, bool drops>
__device__ Eight sum_of(const NormTask& task, int row, int t, int channel, const Packed<Value>& x,
                        const Packed<Value>& added) {
  Eight sum = unpacked(x);
  if (task.branch == nullptr) return sum;
  Eight branch = unpacked(added);
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
  const int64_t at = (static_cast<int64_t>(row) * task.time + t) * task.channels + channel;
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

struct Statistics {
  float mean;
  float inverse;
};

/// Of all channels of a place; `sums` are zeros where a thread has none.
template <int chunks>
__device__ Statistics statistics_of(const Eight (&sums)[chunks], int channel, int channels) {
  float sum = 0.0F;
#pragma unroll
  for (int i = 0; i < chunks; ++i)
    sum += total(sums[i]);
  const float mean = sum_over_warp(sum) / static_cast<float>(channels);
  float squares = 0.0F;
#pragma unroll
  for (int i = 0; i < chunks; ++i) {
    if (channel + i * kWarpChannels >= channels) break;
#pragma unroll
    for (int k = 0; k < kEight; ++k) {
      const float distance = sums[i].values[k] - mean;
      squares += distance * distance;
    }
  }
  return {mean, rsqrtf(sum_over_warp(squares) / static_cast<float>(channels) + kEpsilon)};
}

/// A warp for each place.
template <typename Value, bool drops, int chunks>
__global__ void __launch_bounds__(kBlockPlaces* kWarp) norm_kernel(NormTask task) {
  const int place = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  if (place >= task.batch * task.time) return;
  const int first = static_cast<int>(threadIdx.x) * kEight;
  const int row = place / task.time;
  const int t = place % task.time;
  const auto input = read_place<Value, chunks>(task, place, first);
  Eight sums[chunks] = {};
#pragma unroll
  for (int i = 0; i < chunks; ++i) {
    const int channel = first + i * kWarpChannels;
    if (channel >= task.channels) break;
    sums[i] = sum_of<Value, drops>(task, row, t, channel, input.x[i], input.branch[i]);
  }
  const Statistics found = statistics_of(sums, first, task.channels);
  if (first == 0) {
    task.mean[place] = found.mean;
    task.inverse[place] = found.inverse;
  }
#pragma unroll
  for (int i = 0; i < chunks; ++i) {
    const int channel = first + i * kWarpChannels;
    if (channel >= task.channels) break;
    const Eight factor = load_factor<Value>(task, row, channel);
    const Eight shift = load_vector<Value>(task.shift, row, channel);
    Eight out;
#pragma unroll
    for (int k = 0; k < kEight; ++k) {
      const float value = fmaf(normed(sums[i].values[k], found.mean, found.inverse),
                               factor.values[k], shift.values[k]);
      out.values[k] = task.relu && is_cut(value) ? 0.0F : value;
    }
    store_out<Value>(task, row, t, channel, out);
  }
}

template <typename Value, int chunks>
cudaError_t launch(const NormTask& task, cudaStream_t stream) {
  const int blocks = (task.batch * task.time + kBlockPlaces - 1) / kBlockPlaces;
  auto* const kernel =
      task.drops ? norm_kernel<Value, true, chunks> : norm_kernel<Value, false, chunks>;
  kernel<<<blocks, dim3(kWarp, kBlockPlaces), 0, stream>>>(task);
  return cudaGetLastError();
}

template <typename Value>
cudaError_t run(const NormTask& task, cudaStream_t stream) {
  if (task.channels <= kWarpChannels) return launch<Value, 1>(task, stream);
  if (task.channels <= 2 * kWarpChannels) return launch<Value, 2>(task, stream);
  if (task.channels <= 4 * kWarpChannels) return launch<Value, 4>(task, stream);
  static_assert(kNormMostChannels == 8 * kWarpChannels);
  return launch<Value, 8>(task, stream);
}

}  // namespace

cudaError_t run_norm(const NormTask& task, cudaStream_t stream) {
  if (task.batch == 0 || task.time == 0) return cudaSuccess;
  return task.bfloat16 ? run<__nv_bfloat16>(task, stream) : run<float>(task, stream);
}

}  // namespace seda::model::detail
