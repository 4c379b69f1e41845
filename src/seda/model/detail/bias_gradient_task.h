// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the kernels of bias_gradient.cu are told, passed by value. Pointers are the device's; void
/// is fp32 or bf16. Plain, for both compilers.
namespace seda::model::detail {

struct BiasGradientTask {
  int64_t places;
  int columns;  ///< A multiple of 8.
  bool bfloat16;
  void* gradient;       ///< [places, columns]
  const void* inner;    ///< [places, columns] What GELU took; null without one.
  int tile;             ///< Places of a block; see bias_tile.
  int tiles;            ///< That they make.
  float* partials;      ///< [tiles, columns]
  void* bias_gradient;  ///< [columns]
};

/// Places that a block sums over: many, unless that left a GPU idle. Of the shape alone, so that
/// sums are the same on every GPU.
constexpr int bias_tile(int64_t places, int columns) {
  constexpr int64_t kEnoughBlocks = 768;
  constexpr int64_t kBlockColumns = 256;
  const int64_t across = (columns + kBlockColumns - 1) / kBlockColumns;
  int tile = 128;
  while (tile > 16 && across * ((places + tile - 1) / tile) < kEnoughBlocks)
    tile /= 2;
  return tile;
}

}  // namespace seda::model::detail
