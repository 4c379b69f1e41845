// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/model/detail/noise_task.h"

/// What the kernels of norms are told, passed by value. Pointers are the device's; void is fp32
/// or bf16. Plain, for both compilers.
namespace seda::model::detail {

constexpr int kNormMostChannels = 2048;  ///< Eight a thread, in blocks of 256.
constexpr int kNormVectors = 3;          ///< Whose gradients are sums over places.

/// A vector of channels for each row of the batch, or one for all: then `row_stride` is 0.
struct NormVector {
  const void* values;  ///< May be null.
  int64_t row_stride;  ///< Elements.
};

/// sum = x + gate · keep · branch, then out = (sum - mean) · inverse · factor + shift.
struct NormTask {
  int batch;
  int time;
  int channels;  ///< A multiple of 8, up to kNormMostChannels.
  bool bfloat16;
  bool per_row;            ///< Factor and shift are of rows, and the factor lacks its 1.
  bool relu;               ///< out is 0 where it would be below.
  bool three;              ///< out is written beside its neighbours, see run_norm.
  bool drops;              ///< keep is drawn, else 1.
  NoiseTask keep;          ///< Numbers of [batch, time · channels]; its array is not used.
  const int32_t* lengths;  ///< [batch] Places that are real; of `three` alone.
  const void* x;           ///< [batch, time, channels]; backward does not read it.
  const void* branch;      ///< [batch, time, channels], may be null; backward: null without a gate.
  NormVector gate;         ///< Null: 1.
  NormVector factor;
  NormVector shift;
  void* sum;       ///< [batch, time, channels]; forward without a branch: null.
  void* out;       ///< [batch, time, channels] or [batch, time, 3, channels]
  float* mean;     ///< [batch, time]
  float* inverse;  ///< [batch, time] 1 / deviation
};

struct NormBackwardTask {
  NormTask norm;
  const void* out_gradient;  ///< As `out`; may be null, for zero.
  const void* sum_gradient;  ///< As `sum`; may be null, for zero.
  void* x_gradient;          ///< [batch, time, channels]
  void* branch_gradient;     ///< The same; null where it equals that of x.
  int tile;                  ///< Places of a block, all of one row; see norm_tile.
  float* partials;           ///< [batch, tiles, 3, channels] Sums over a tile.
  void* shift_gradient;      ///< [channels], or [batch, channels] if per_row.
  void* factor_gradient;     ///< The same.
  void* gate_gradient;       ///< [batch, channels]; null without a gate.
};

/// Places that a block of the backward kernel sums over: many, unless that left a GPU idle. Of the
/// shape alone, so that sums are the same on every GPU.
constexpr int norm_tile(int batch, int time) {
  constexpr int64_t kEnoughBlocks = 1536;
  int tile = 64;
  while (tile > 8 && int64_t{batch} * ((time + tile - 1) / tile) < kEnoughBlocks)
    tile /= 2;
  return tile;
}

constexpr int norm_tiles(int time, int tile) {
  return (time + tile - 1) / tile;
}

}  // namespace seda::model::detail
