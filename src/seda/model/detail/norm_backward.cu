// SPDX-License-Identifier: Apache-2.0
// A place is worked on by whole warps, a thread on eight channels of it; short rows share a block.
// A block walks over a tile of places: what the next one needs is on its way while the sums of this
// one are made. Gradients of vectors are summed over the tile in registers, then over all tiles by
// a second kernel.
#include "seda/model/detail/norm_launch_cuda.h"
#include "seda/model/detail/norm_place_cuda.h"
#include "seda/model/detail/partial_sum_cuda.h"

namespace seda::model::detail {
namespace {

enum Vector : int { kShift, kFactor, kGate };

constexpr int kMostWarps = kNormMostChannels / kWarpChannels;
constexpr int kMostThreads = kMostWarps * kWarp;
constexpr int kSharedWarps = 4;  // of a block of several places

__host__ __device__ constexpr int warps_of(int channels) {
  return (channels + kWarpChannels - 1) / kWarpChannels;
}

/// Places that a block has at a time.
__host__ __device__ constexpr int groups_of(int channels) {
  const int groups = kSharedWarps / warps_of(channels);
  return groups > 1 ? groups : 1;
}

inline int threads_of(int channels) {
  return groups_of(channels) * warps_of(channels) * kWarp;
}

/// Where a thread stands.
struct Seat {
  int group;    // which of the block's places
  int channel;  // the first of eight
};

__device__ inline Seat seat_of(int channels) {
  const int threads = warps_of(channels) * kWarp;
  const int thread = static_cast<int>(threadIdx.x);
  return {thread / threads, thread % threads * kEight};
}

using Shared = float[kMostWarps];

/// Sums over the threads of a place, known to each of them. All threads of the block take part;
/// those of two calls in a row need two arrays.
template <int count>
__device__ void sum_over_place(float (&values)[count], int warps, Shared* shared) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] = sum_over_warp(values[i]);
  if (warps == 1) return;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int first = warp / warps * warps;
  if (threadIdx.x % kWarp == 0) {
    for (int i = 0; i < count; ++i)
      shared[i][warp] = values[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < count; ++i) {
    values[i] = 0.0F;
    for (int k = 0; k < warps; ++k)
      values[i] += shared[i][first + k];
  }
}

/// What a thread reads of a place. The gradient of out lies in one slot, or in three.
template <typename Value, bool three>
struct PlaceInput {
  static constexpr int kSlots = three ? 3 : 1;
  Packed<Value> gradient[kSlots];
  Packed<Value> value;   // the sum
  Packed<Value> along;   // its gradient from elsewhere
  Packed<Value> branch;  // of a gate alone
  float mean;
  float inverse;
};

/// Zeros where there is nothing to read.
template <typename Value, bool three, bool gated>
__device__ PlaceInput<Value, three> read_place(const NormBackwardTask& task, int row, int t,
                                               int channel, bool works) {
  PlaceInput<Value, three> input = {};
  if (!works) return input;
  const NormTask& norm = task.norm;
  const int64_t place = static_cast<int64_t>(row) * norm.time + t;
  const int64_t slot = norm.channels;
  const int64_t at = place * slot + channel;
  const auto* const gradient = static_cast<const Value*>(task.out_gradient);
  if constexpr (three) {
    if (gradient != nullptr && t < norm.lengths[row]) {
      const auto* const own = gradient + place * 3 * slot + channel;
      input.gradient[0] = load_packed(own + slot);
      if (t + 1 < norm.time) input.gradient[1] = load_packed(own + 3 * slot);
      if (t > 0) input.gradient[2] = load_packed(own - slot);
    }
  } else {
    if (gradient != nullptr) input.gradient[0] = load_packed(gradient + at);
  }
  input.value = load_packed(static_cast<const Value*>(norm.sum) + at);
  if (task.sum_gradient != nullptr)
    input.along = load_packed(static_cast<const Value*>(task.sum_gradient) + at);
  if constexpr (gated) input.branch = load_packed(static_cast<const Value*>(norm.branch) + at);
  input.mean = norm.mean[place];
  input.inverse = norm.inverse[place];
  return input;
}

/// The gradient of out at a place: of all slots it was written to.
template <typename Value, bool three>
__device__ Eight out_gradient(const PlaceInput<Value, three>& input) {
  Eight sum = unpacked(input.gradient[0]);
#pragma unroll
  for (int i = 1; i < PlaceInput<Value, three>::kSlots; ++i)
    add_to(sum, unpacked(input.gradient[i]));
  return sum;
}

/// What a thread keeps from place to place.
template <typename Value>
struct Walk {
  Packed<Value> factor;
  Packed<Value> shift;  // of ReLU alone
  Packed<Value> gate;
  Eight sums[kNormVectors];  // gradients of shift, factor and gate
};

template <typename Value>
__device__ Packed<Value> packed_vector(const NormVector& vector, int row, int channel) {
  return load_packed(static_cast<const Value*>(vector.values) + row * vector.row_stride + channel);
}

template <typename Value, bool gated>
__device__ Walk<Value> begin_walk(const NormTask& task, int row, int channel) {
  Walk<Value> walk = {};
  if (channel >= task.channels) return walk;
  walk.factor = packed_vector<Value>(task.factor, row, channel);
  if (task.relu) walk.shift = packed_vector<Value>(task.shift, row, channel);
  if constexpr (gated) walk.gate = packed_vector<Value>(task.gate, row, channel);
  return walk;
}

/// Writes the branch's gradient, and adds to the gate's.
template <typename Value, bool gated>
__device__ void walk_branch(const NormBackwardTask& task, int row, int t, int channel,
                            const Packed<Value>& branch, Eight kept, Walk<Value>& walk) {
  const NormTask& norm = task.norm;
  const int64_t at = (static_cast<int64_t>(row) * norm.time + t) * norm.channels + channel;
  if (norm.drops) multiply_by_keep(norm, row, t, channel, kept);
  if constexpr (gated) {
    const Eight gate = unpacked(walk.gate);
    const Eight value = unpacked(branch);
#pragma unroll
    for (int i = 0; i < kEight; ++i) {
      walk.sums[kGate].values[i] += kept.values[i] * value.values[i];
      kept.values[i] *= gate.values[i];
    }
  }
  store_eight(static_cast<Value*>(task.branch_gradient) + at, kept);
}

/// One place. All threads of the block take part; those without work have zeros.
template <typename Value, bool three, bool gated>
__device__ void walk_place(const NormBackwardTask& task, int row, int t, int channel, bool works,
                           const PlaceInput<Value, three>& input, Shared* shared,
                           Walk<Value>& walk) {
  const NormTask& norm = task.norm;
  const float extra = norm.per_row ? 1.0F : 0.0F;
  const Eight factor = unpacked(walk.factor);
  const Eight shift = unpacked(walk.shift);
  Eight gradient = out_gradient(input);  // then of what the norm is multiplied with
  Eight value = unpacked(input.value);   // then its norm
  float sums[2] = {0.0F, 0.0F};
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    const float hat = normed(value.values[i], input.mean, input.inverse);
    const float times = factor.values[i] + extra;
    const bool cut = norm.relu && is_cut(fmaf(hat, times, shift.values[i]));
    const float given = cut ? 0.0F : gradient.values[i];
    walk.sums[kShift].values[i] += given;
    walk.sums[kFactor].values[i] += given * hat;
    value.values[i] = hat;
    gradient.values[i] = given * times;
    sums[0] += given * times;
    sums[1] += given * times * hat;
  }
  sum_over_place(sums, warps_of(norm.channels), shared);
  if (!works) return;

  const float mean_gradient = sums[0] / static_cast<float>(norm.channels);
  const float mean_product = sums[1] / static_cast<float>(norm.channels);
  const Eight along = unpacked(input.along);
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    const float left = gradient.values[i] - mean_gradient - value.values[i] * mean_product;
    gradient.values[i] = fmaf(input.inverse, left, along.values[i]);
  }
  const int64_t at = (static_cast<int64_t>(row) * norm.time + t) * norm.channels + channel;
  store_eight(static_cast<Value*>(task.x_gradient) + at, gradient);
  if (task.branch_gradient != nullptr)
    walk_branch<Value, gated>(task, row, t, channel, input.branch, gradient, walk);
}

/// The groups' sums, joined by the first. `shared` has room for eight channels of each thread of a
/// block of several places.
template <typename Value>
__device__ void store_partials(const NormBackwardTask& task, const Seat& seat,
                               const Walk<Value>& walk, float* shared) {
  const int channels = task.norm.channels;
  const int groups = groups_of(channels);
  const int width = warps_of(channels) * kWarpChannels;
  const int64_t tile = static_cast<int64_t>(blockIdx.y) * gridDim.x + blockIdx.x;
  float* const partials = task.partials + tile * kNormVectors * channels + seat.channel;
#pragma unroll
  for (int vector = 0; vector < kNormVectors; ++vector) {
    if (vector == kGate && task.gate_gradient == nullptr) return;
    Eight sum = walk.sums[vector];
    if (groups > 1) {
      __syncthreads();
      store_eight(shared + seat.group * width + seat.channel, sum);
      __syncthreads();
      for (int group = 1; group < groups; ++group)
        add_to(sum, load_eight(shared + group * width + seat.channel));
    }
    if (seat.group == 0 && seat.channel < channels)
      store_eight(partials + static_cast<int64_t>(vector) * channels, sum);
  }
}

template <typename Value, bool three, bool gated>
__global__ void __launch_bounds__(kMostThreads) norm_backward_kernel(NormBackwardTask task) {
  __shared__ Shared shared[2][2];
  __shared__ alignas(16) float partials[kSharedWarps * kWarpChannels];
  const NormTask& norm = task.norm;
  const Seat seat = seat_of(norm.channels);
  const int groups = groups_of(norm.channels);
  const int row = static_cast<int>(blockIdx.y);
  const int begin = static_cast<int>(blockIdx.x) * task.tile;
  const int end = min(begin + task.tile, norm.time);
  const auto works = [&](int t) { return t < end && seat.channel < norm.channels; };
  const auto read = [&](int t) {
    return read_place<Value, three, gated>(task, row, t, seat.channel, works(t));
  };
  Walk<Value> walk = begin_walk<Value, gated>(norm, row, seat.channel);
  auto input = read(begin + seat.group);
  int parity = 0;
  for (int first = begin; first < end; first += groups) {
    const int t = first + seat.group;
    const auto next = read(t + groups);
    walk_place<Value, three, gated>(task, row, t, seat.channel, works(t), input, shared[parity],
                                    walk);
    input = next;
    parity = 1 - parity;
  }
  store_partials(task, seat, walk, partials);
}

__device__ inline void* gradient_of(const NormBackwardTask& task, int vector) {
  if (vector == kShift) return task.shift_gradient;
  return vector == kFactor ? task.factor_gradient : task.gate_gradient;
}

/// Sums of the tiles of a row, or of all rows.
template <typename Value>
__global__ void __launch_bounds__(kSumColumns* kSumRows) norm_sum_kernel(NormBackwardTask task) {
  const int channels = task.norm.channels;
  const int vector = static_cast<int>(blockIdx.y);
  const int row = static_cast<int>(blockIdx.z);
  const bool per_row = vector == kGate || task.norm.per_row;
  if (!per_row && row > 0) return;
  const int tiles = norm_tiles(task.norm.time, task.tile);
  const int count = per_row ? tiles : tiles * task.norm.batch;
  const int channel = sum_channel();
  const int64_t step = static_cast<int64_t>(kNormVectors) * channels;
  const float* const partials = task.partials + row * tiles * step + vector * channels + channel;
  auto* const gradient = static_cast<Value*>(gradient_of(task, vector));
  sum_partials(partials, count, step, channel < channels,
               gradient + static_cast<int64_t>(row) * channels + channel);
}

template <typename Value>
void launch_walk(const NormBackwardTask& task, const dim3& blocks, cudaStream_t stream) {
  const bool gated = task.norm.gate.values != nullptr;
  auto* kernel = norm_backward_kernel<Value, false, false>;
  if (gated) kernel = norm_backward_kernel<Value, false, true>;
  if (task.norm.three) {
    kernel =
        gated ? norm_backward_kernel<Value, true, true> : norm_backward_kernel<Value, true, false>;
  }
  kernel<<<blocks, threads_of(task.norm.channels), 0, stream>>>(task);
}

template <typename Value>
cudaError_t run(const NormBackwardTask& task, cudaStream_t stream) {
  const NormTask& norm = task.norm;
  const int tiles = norm_tiles(norm.time, task.tile);
  launch_walk<Value>(task, dim3(static_cast<unsigned>(tiles), static_cast<unsigned>(norm.batch)),
                     stream);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;

  const int vectors = task.gate_gradient != nullptr ? kNormVectors : kNormVectors - 1;
  const bool has_rows = norm.per_row || task.gate_gradient != nullptr;
  const dim3 sums(sum_blocks(norm.channels), static_cast<unsigned>(vectors),
                  has_rows ? static_cast<unsigned>(norm.batch) : 1U);
  const dim3 threads = sum_threads(norm.per_row ? tiles : tiles * norm.batch);
  norm_sum_kernel<Value><<<sums, threads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace

cudaError_t run_norm_backward(const NormBackwardTask& task, cudaStream_t stream) {
  return task.norm.bfloat16 ? run<__nv_bfloat16>(task, stream) : run<float>(task, stream);
}

}  // namespace seda::model::detail
