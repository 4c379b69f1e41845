// SPDX-License-Identifier: Apache-2.0
// A place is worked on by whole warps, a thread on eight channels of it, so that all it needs stays
// in registers. Short rows share a block.
#include "seda/model/detail/eight_cuda.h"
#include "seda/model/detail/norm_launch_cuda.h"

namespace seda::model::detail {
namespace {

constexpr int kWarp = 32;
constexpr int kWarpChannels = kWarp * kEight;
constexpr int kMostWarps = kNormMostChannels / kWarpChannels;
constexpr int kMostThreads = kMostWarps * kWarp;
constexpr int kSharedWarps = 4;  // of a block of several places
constexpr int kSumColumns = 32;
constexpr int kSumRows = 32;
constexpr int kFewPartials = 64;
constexpr int kFewSumRows = 8;
constexpr unsigned kAll = 0xffffffffU;
constexpr float kEpsilon = 1e-5F;

enum Vector : int { kShift, kFactor, kGate };

__host__ __device__ constexpr int warps_of(int channels) {
  return (channels + kWarpChannels - 1) / kWarpChannels;
}

/// Places that a block has at a time.
__host__ __device__ constexpr int groups_of(int channels) {
  const int groups = kSharedWarps / warps_of(channels);
  return groups > 1 ? groups : 1;
}

int threads_of(int channels) {
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
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
      values[i] += __shfl_xor_sync(kAll, values[i], offset);
  }
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

/// Times the numbers of Noise::keep.
__device__ inline void multiply_by_keep(const NormTask& task, int row, int t, int channel,
                                        Eight& eight) {
  const auto update = static_cast<uint64_t>(*task.keep.update);
  const int64_t first = (static_cast<int64_t>(t) * task.channels + channel) / kNoiseGroup;
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    if (i % kNoiseGroup != 0) continue;
    const PhiloxCounter random = noise_words(task.keep, update, row, first + i / kNoiseGroup);
#pragma unroll
    for (int k = 0; k < kNoiseGroup; ++k) {
      const bool kept = noise_fraction(random.words[k]) < task.keep.keep;
      eight.values[i + k] *= kept ? 1.0F / task.keep.keep : 0.0F;
    }
  }
}

/// x, and the branch added where there is one.
template <typename Value>
__device__ Eight sum_of(const NormTask& task, int row, int t, int channel) {
  const int64_t at = (static_cast<int64_t>(row) * task.time + t) * task.channels + channel;
  Eight sum = load_eight(static_cast<const Value*>(task.x) + at);
  if (task.branch == nullptr) return sum;
  Eight branch = load_eight(static_cast<const Value*>(task.branch) + at);
  if (task.drops) multiply_by_keep(task, row, t, channel, branch);
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

__device__ inline float normed(float value, float mean, float inverse) {
  return (value - mean) * inverse;
}

/// Of both directions, so that they agree on what ReLU cuts. NaN goes through it.
__device__ inline bool is_cut(float out) {
  return out <= 0.0F;
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

template <typename Value>
__global__ void __launch_bounds__(kMostThreads) norm_kernel(NormTask task) {
  __shared__ Shared shared[2];
  const Seat seat = seat_of(task.channels);
  const int warps = warps_of(task.channels);
  const int place = static_cast<int>(blockIdx.x) * groups_of(task.channels) + seat.group;
  const bool works = place < task.batch * task.time && seat.channel < task.channels;
  const int row = place / task.time;
  const int t = place % task.time;
  Eight sum = {};
  if (works) sum = sum_of<Value>(task, row, t, seat.channel);

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

/// The gradient of out at a place: of all three slots it was written to.
template <typename Value>
__device__ Eight out_gradient_of(const NormBackwardTask& task, int row, int t, int channel) {
  const NormTask& norm = task.norm;
  if (task.out_gradient == nullptr) return {};
  const auto* const gradient = static_cast<const Value*>(task.out_gradient);
  const int64_t place = static_cast<int64_t>(row) * norm.time + t;
  const int64_t slot = norm.channels;
  if (!norm.three) return load_eight(gradient + place * slot + channel);
  if (t >= norm.lengths[row]) return {};
  const auto* const own = gradient + place * 3 * slot + channel;
  Eight sum = load_eight(own + slot);
  if (t + 1 < norm.time) add_to(sum, load_eight(own + 3 * slot));
  if (t > 0) add_to(sum, load_eight(own - slot));
  return sum;
}

/// What a thread keeps from place to place.
struct Walk {
  Eight factor;
  Eight shift;  // of ReLU alone
  Eight gate;
  Eight sums[kNormVectors];  // gradients of shift, factor and gate
};

template <typename Value>
__device__ Walk begin_walk(const NormTask& task, int row, int channel) {
  Walk walk = {};
  if (channel >= task.channels) return walk;
  walk.factor = load_factor<Value>(task, row, channel);
  if (task.relu) walk.shift = load_vector<Value>(task.shift, row, channel);
  if (task.gate.values != nullptr) walk.gate = load_vector<Value>(task.gate, row, channel);
  return walk;
}

/// Writes the branch's gradient, and adds to the gate's.
template <typename Value>
__device__ void walk_branch(const NormBackwardTask& task, int row, int t, int channel,
                            const Eight& gradient, Walk& walk) {
  const NormTask& norm = task.norm;
  const int64_t at = (static_cast<int64_t>(row) * norm.time + t) * norm.channels + channel;
  Eight kept = gradient;
  if (norm.drops) multiply_by_keep(norm, row, t, channel, kept);
  if (norm.gate.values != nullptr) {
    const Eight branch = load_eight(static_cast<const Value*>(norm.branch) + at);
#pragma unroll
    for (int i = 0; i < kEight; ++i) {
      walk.sums[kGate].values[i] += kept.values[i] * branch.values[i];
      kept.values[i] *= walk.gate.values[i];
    }
  }
  store_eight(static_cast<Value*>(task.branch_gradient) + at, kept);
}

/// One place. All threads of the block take part; those without work have zeros.
template <typename Value>
__device__ void walk_place(const NormBackwardTask& task, int row, int t, int channel, bool works,
                           Shared* shared, Walk& walk) {
  const NormTask& norm = task.norm;
  const int64_t place = static_cast<int64_t>(row) * norm.time + t;
  const int64_t at = place * norm.channels + channel;
  const float mean = works ? norm.mean[place] : 0.0F;
  const float inverse = works ? norm.inverse[place] : 0.0F;
  Eight gradient = {};  // of out, then of what the norm is multiplied with
  Eight value = {};     // sum, then its norm
  if (works) {
    gradient = out_gradient_of<Value>(task, row, t, channel);
    value = load_eight(static_cast<const Value*>(norm.sum) + at);
  }
  float sums[2] = {0.0F, 0.0F};
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    const float hat = normed(value.values[i], mean, inverse);
    const float factor = walk.factor.values[i];
    const bool cut = norm.relu && is_cut(fmaf(hat, factor, walk.shift.values[i]));
    const float given = cut ? 0.0F : gradient.values[i];
    walk.sums[kShift].values[i] += given;
    walk.sums[kFactor].values[i] += given * hat;
    value.values[i] = hat;
    gradient.values[i] = given * factor;
    sums[0] += given * factor;
    sums[1] += given * factor * hat;
  }
  sum_over_place(sums, warps_of(norm.channels), shared);
  if (!works) return;

  const float mean_gradient = sums[0] / static_cast<float>(norm.channels);
  const float mean_product = sums[1] / static_cast<float>(norm.channels);
  Eight along = {};
  if (task.sum_gradient != nullptr)
    along = load_eight(static_cast<const Value*>(task.sum_gradient) + at);
#pragma unroll
  for (int i = 0; i < kEight; ++i) {
    const float left = gradient.values[i] - mean_gradient - value.values[i] * mean_product;
    gradient.values[i] = fmaf(inverse, left, along.values[i]);
  }
  store_eight(static_cast<Value*>(task.x_gradient) + at, gradient);
  if (task.branch_gradient != nullptr) walk_branch<Value>(task, row, t, channel, gradient, walk);
}

/// The groups' sums, joined by the first. `shared` has room for eight channels of each thread of a
/// block of several places.
__device__ void store_partials(const NormBackwardTask& task, const Seat& seat, Walk& walk,
                               float* shared) {
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

template <typename Value>
__global__ void __launch_bounds__(kMostThreads) norm_backward_kernel(NormBackwardTask task) {
  __shared__ Shared shared[2][2];
  __shared__ alignas(16) float partials[kSharedWarps * kWarpChannels];
  const NormTask& norm = task.norm;
  const Seat seat = seat_of(norm.channels);
  const int groups = groups_of(norm.channels);
  const int row = static_cast<int>(blockIdx.y);
  const int begin = static_cast<int>(blockIdx.x) * task.tile;
  const int end = min(begin + task.tile, norm.time);
  Walk walk = begin_walk<Value>(norm, row, seat.channel);
  int parity = 0;
  for (int first = begin; first < end; first += groups) {
    const int t = first + seat.group;
    const bool works = t < end && seat.channel < norm.channels;
    walk_place<Value>(task, row, t, seat.channel, works, shared[parity], walk);
    parity = 1 - parity;
  }
  store_partials(task, seat, walk, partials);
}

__device__ inline void* gradient_of(const NormBackwardTask& task, int vector) {
  if (vector == kShift) return task.shift_gradient;
  return vector == kFactor ? task.factor_gradient : task.gate_gradient;
}

/// Sums of the tiles of a row, or of all rows: a column of threads for each channel.
template <typename Value>
__global__ void __launch_bounds__(kSumColumns* kSumRows) norm_sum_kernel(NormBackwardTask task) {
  __shared__ float shared[kSumRows][kSumColumns];
  const int channels = task.norm.channels;
  const int vector = static_cast<int>(blockIdx.y);
  const int row = static_cast<int>(blockIdx.z);
  const bool per_row = vector == kGate || task.norm.per_row;
  if (!per_row && row > 0) return;
  const int tiles = norm_tiles(task.norm.time, task.tile);
  const int count = per_row ? tiles : tiles * task.norm.batch;
  const int channel = static_cast<int>(blockIdx.x) * kSumColumns + static_cast<int>(threadIdx.x);
  const int64_t step = static_cast<int64_t>(kNormVectors) * channels;
  const float* const partials = task.partials + row * tiles * step + vector * channels + channel;
  float sum = 0.0F;
  if (channel < channels) {
#pragma unroll 4
    for (int i = static_cast<int>(threadIdx.y); i < count; i += static_cast<int>(blockDim.y))
      sum += partials[i * step];
  }
  shared[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y > 0 || channel >= channels) return;
  for (int i = 1; i < static_cast<int>(blockDim.y); ++i)
    sum += shared[i][threadIdx.x];
  auto* const gradient = static_cast<Value*>(gradient_of(task, vector));
  store_one(gradient + static_cast<int64_t>(row) * channels + channel, sum);
}

template <typename Value>
cudaError_t run_forward(const NormTask& task, cudaStream_t stream) {
  const int groups = groups_of(task.channels);
  const int blocks = (task.batch * task.time + groups - 1) / groups;
  norm_kernel<Value><<<blocks, threads_of(task.channels), 0, stream>>>(task);
  return cudaGetLastError();
}

template <typename Value>
cudaError_t run_backward(const NormBackwardTask& task, cudaStream_t stream) {
  const NormTask& norm = task.norm;
  const int tiles = norm_tiles(norm.time, task.tile);
  const dim3 blocks(static_cast<unsigned>(tiles), static_cast<unsigned>(norm.batch));
  norm_backward_kernel<Value><<<blocks, threads_of(norm.channels), 0, stream>>>(task);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;

  const int columns = (norm.channels + kSumColumns - 1) / kSumColumns;
  const int vectors = task.gate_gradient != nullptr ? kNormVectors : kNormVectors - 1;
  const bool has_rows = norm.per_row || task.gate_gradient != nullptr;
  const int most = norm.per_row ? tiles : tiles * norm.batch;
  const dim3 sums(static_cast<unsigned>(columns), static_cast<unsigned>(vectors),
                  has_rows ? static_cast<unsigned>(norm.batch) : 1U);
  const dim3 threads(kSumColumns, most > kFewPartials ? kSumRows : kFewSumRows);
  norm_sum_kernel<Value><<<sums, threads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace

cudaError_t run_norm(const NormTask& task, cudaStream_t stream) {
  if (task.batch == 0 || task.time == 0) return cudaSuccess;
  return task.bfloat16 ? run_forward<__nv_bfloat16>(task, stream)
                       : run_forward<float>(task, stream);
}

cudaError_t run_norm_backward(const NormBackwardTask& task, cudaStream_t stream) {
  return task.norm.bfloat16 ? run_backward<__nv_bfloat16>(task, stream)
                            : run_backward<float>(task, stream);
}

}  // namespace seda::model::detail
