// SPDX-License-Identifier: Apache-2.0
// A warp sums 32 tokens over 32 frames, a tile, and leaves the sums of its last token in a row of
// shared memory, for the warp below. The warps of a block stand on a diagonal of tiles, one strip
// of frames apart, and meet once per tile. docs/decisions/model.md says why.
#include "seda/model/detail/align_launch_cuda.h"

namespace seda::model::detail {
namespace {

constexpr int kStrip = kAlignStrip;
constexpr int kAhead = 16;  // frames loaded before they are needed
constexpr int kMostThreads = 1024;
constexpr unsigned kAll = 0xffffffffU;
constexpr int kPathThreads = 256;

__device__ inline float infinity() {
  return __int_as_float(0x7f800000);
}

__device__ inline int clamped(int length, int most) {
  return min(max(length, 0), most);
}

/// One clip's part of the arrays.
struct Clip {
  const float* log_likelihood;  // [tokens, row]
  uint32_t* advances;           // [strips, row_tokens]
  int32_t* durations;
  int32_t* begins;
  int row;
  int row_tokens;
  int tokens;
  int frames;
};

__device__ Clip clip_of(const AlignTask& task, int i) {
  const size_t first = static_cast<size_t>(i) * task.tokens;
  Clip clip;
  clip.log_likelihood = task.log_likelihood + first * task.frames;
  clip.advances = task.advances + first * ((task.frames + kStrip - 1) / kStrip);
  clip.durations = task.durations + first;
  clip.begins = task.begins + first;
  clip.row = task.frames;
  clip.row_tokens = task.tokens;
  clip.tokens = clamped(task.token_lengths[i], task.tokens);
  clip.frames = clamped(task.frame_lengths[i], task.frames);
  return clip;
}

/// What one thread knows of its token while it goes from strip to strip.
struct Walk {
  const float* row;          // log-likelihoods
  int frames;                // 0: no such token
  float4 ahead[kAhead / 4];  // those that are next
  float sum;                 // of the best path to the frame before
  float above;               // the first lane's alone: the same of the token above the warp
};

__device__ inline float at(const Walk& walk, int frame) {
  return frame < walk.frames ? walk.row[frame] : 0.0F;
}

/// Four log-likelihoods. Aligned: rows begin at multiples of 16 bytes.
template <bool aligned>
__device__ float4 load(const Walk& walk, int frame) {
  if constexpr (aligned) {
    const bool inside = frame < walk.frames;
    return inside ? *reinterpret_cast<const float4*>(walk.row + frame) : make_float4(0, 0, 0, 0);
  } else {
    return make_float4(at(walk, frame), at(walk, frame + 1), at(walk, frame + 2),
                       at(walk, frame + 3));
  }
}

/// Moves on by one frame; whether the best path came from the token above.
__device__ bool step(Walk& walk, float value, float& edge) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float above = __shfl_up_sync(kAll, walk.sum, 1);
  if (lane == 0) above = walk.above;
  const bool advance = above > walk.sum;
  walk.sum = (value < infinity() ? value : -infinity()) + (advance ? above : walk.sum);
  walk.above = edge;
  edge = walk.sum;
  return advance;
}

/// Four steps. `edge` holds the sums of the token above the warp, then those of its last.
__device__ uint32_t step_quad(Walk& walk, float4 values, float4* edge) {
  float4 sums = *edge;
  __syncwarp();
  uint32_t bits = step(walk, values.x, sums.x) ? 1 : 0;
  bits |= step(walk, values.y, sums.y) ? 2 : 0;
  bits |= step(walk, values.z, sums.z) ? 4 : 0;
  bits |= step(walk, values.w, sums.w) ? 8 : 0;
  if (threadIdx.x % 32 == 31) *edge = sums;
  return bits;
}

/// A tile. Each quad that is used makes room for one that is loaded ahead.
template <bool aligned>
__device__ uint32_t sum_strip(Walk& walk, int begin, float* edge) {
  uint32_t bits = 0;
#pragma unroll
  for (int i = 0; i < kStrip; i += 4) {
    const float4 values = walk.ahead[i / 4 % (kAhead / 4)];
    walk.ahead[i / 4 % (kAhead / 4)] = load<aligned>(walk, begin + kAhead + i);
    bits |= step_quad(walk, values, reinterpret_cast<float4*>(edge + begin + i)) << i;
  }
  return bits;
}

template <bool aligned>
__device__ Walk begin_walk(const Clip& clip, int token) {
  Walk walk;
  const bool inside = token < clip.tokens;
  walk.row = clip.log_likelihood + static_cast<size_t>(inside ? token : 0) * clip.row;
  walk.frames = inside ? clip.frames : 0;
#pragma unroll
  for (int i = 0; i < kAhead; i += 4)
    walk.ahead[i / 4] = load<aligned>(walk, i);
  walk.sum = -infinity();
  walk.above = token == 0 ? 0.0F : -infinity();  // where every path begins
  return walk;
}

/// One round: as many tokens as the block has threads, from `first` on, over all frames.
template <bool aligned>
__device__ void sum_round(const Clip& clip, int first, float* edge) {
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int warps = (min(static_cast<int>(blockDim.x), clip.tokens - first) + 31) / 32;
  const int strips = (clip.frames + kStrip - 1) / kStrip;
  const int token = first + static_cast<int>(threadIdx.x);
  Walk walk = begin_walk<aligned>(clip, token);
  for (int phase = 0; phase < strips + warps - 1; ++phase) {
    const int strip = phase - warp;
    if (warp < warps && strip >= 0 && strip < strips) {
      const uint32_t bits = sum_strip<aligned>(walk, strip * kStrip, edge);
      if (token < clip.tokens)
        clip.advances[static_cast<size_t>(strip) * clip.row_tokens + token] = bits;
    }
    __syncthreads();
  }
}

/// From the last frame to the first, over all frames of a strip that stay at once. A token that is
/// as far as its frame can only have advanced, the first only have stayed, whatever the sums say.
__device__ void walk_back(const Clip& clip) {
  int frame = clip.frames - 1;
  for (int token = clip.tokens - 1; token > 0; --token) {
    const int last = frame;
    while (frame > token) {
      const int strip = frame / kStrip;
      const uint32_t word = clip.advances[static_cast<size_t>(strip) * clip.row_tokens + token];
      const uint32_t left = word << (kStrip - 1 - frame % kStrip);  // no frame after this one
      frame = max(frame - __clz(static_cast<int>(left)), strip * kStrip - 1);
      if (left != 0) break;
    }
    frame = max(frame, token);
    clip.begins[token] = frame;
    clip.durations[token] = last - frame + 1;
    --frame;
  }
  clip.begins[0] = 0;
  clip.durations[0] = frame + 1;
}

/// One frame for each token while there are any. Also for a clip of nothing.
__device__ void deal_frames(const Clip& clip) {
  const int dealt = min(clip.tokens, clip.frames);
  for (int s = static_cast<int>(threadIdx.x); s < dealt; s += static_cast<int>(blockDim.x)) {
    clip.begins[s] = s;
    clip.durations[s] = 1;
  }
}

template <bool aligned>
__global__ void __launch_bounds__(kMostThreads) align_kernel(AlignTask task) {
  extern __shared__ float4 quads[];
  auto* const edge = reinterpret_cast<float*>(quads);  // sums of the token above each warp
  const Clip clip = clip_of(task, static_cast<int>(blockIdx.x));
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const bool has_path = clip.frames >= clip.tokens && (clip.tokens > 0 || clip.frames == 0);
  if (task.status != nullptr && thread == 0) task.status[blockIdx.x] = has_path ? 0 : 1;
  for (int s = thread; s < clip.row_tokens; s += threads) {
    clip.begins[s] = 0;
    clip.durations[s] = 0;
  }
  for (int t = thread; t < (clip.frames + kStrip - 1) / kStrip * kStrip; t += threads)
    edge[t] = -infinity();
  __syncthreads();
  if (!has_path || clip.tokens == 0) return deal_frames(clip);
  for (int first = 0; first < clip.tokens; first += threads)
    sum_round<aligned>(clip, first, edge);
  if (thread == 0) walk_back(clip);
}

/// A block for each token of each clip.
__global__ void path_kernel(AlignTask task) {
  const size_t which = static_cast<size_t>(blockIdx.y) * task.tokens + blockIdx.x;
  uint8_t* path = task.path + which * task.frames;
  const int begin = task.begins[which];
  const int end = begin + task.durations[which];
  for (int t = static_cast<int>(threadIdx.x); t < task.frames; t += kPathThreads)
    path[t] = t >= begin && t < end ? 1 : 0;
}

/// Enough warps for all tokens, where a block may have so many.
int threads_for(int tokens) {
  const int whole = (tokens + 31) / 32 * 32;
  return whole < kMostThreads ? whole : kMostThreads;
}

}  // namespace

cudaError_t run_align(const AlignTask& task, cudaStream_t stream) {
  const int threads = threads_for(task.tokens);
  const size_t shared = align_strips(task.frames) * kStrip * sizeof(float);
  const bool aligned =
      task.frames % 4 == 0 && reinterpret_cast<uintptr_t>(task.log_likelihood) % 16 == 0;
  auto* const kernel = aligned ? &align_kernel<true> : &align_kernel<false>;
  kernel<<<task.batch, threads, shared, stream>>>(task);
  return cudaGetLastError();
}

cudaError_t run_align_path(const AlignTask& task, cudaStream_t stream) {
  const dim3 grid(static_cast<unsigned>(task.tokens), static_cast<unsigned>(task.batch));
  path_kernel<<<grid, kPathThreads, 0, stream>>>(task);
  return cudaGetLastError();
}

}  // namespace seda::model::detail
