// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the kernels of the optimizer's update and who calls them share. Plain, for both compilers.
namespace seda::train::detail {

/// Blocks that sum the gradient's squares: as many on every GPU, so that the order is the same.
constexpr int kUpdateBlocks = 1024;

/// What one update does to every weight; found on the device.
struct UpdateNumbers {
  float gradient_scale;  ///< The gradient is divided by it.
  float first_share;     ///< 1 - beta1
  float second_kept;     ///< beta2
  float second_share;    ///< 1 - beta2
  float second_root;     ///< √(1 - beta2^steps)
  float epsilon;
  float step_size;      ///< lr / (1 - beta1^steps)
  float shrink;         ///< lr · weight_decay
  float average_share;  ///< Of the new weights in the average.
  float skip;           ///< One: nothing is changed.
};

/// An update, passed by value. Pointers are of one device, those of arrays aligned to 16 bytes.
struct UpdateTask {
  int64_t size;
  int64_t decaying;   ///< The first so many weights decay.
  float* weights;     ///< [size]
  float* gradient;    ///< [size] Summed over `accumulation` batches.
  float* exp_avg;     ///< [size]
  float* exp_avg_sq;  ///< [size]
  float* average;     ///< [size]
  uint16_t* compute;  ///< [size] Bits of bf16; null: the model computes with `weights`.
  float* steps;       ///< []
  float* latch;       ///< []
  const float* lr;    ///< []
  float* norm;        ///< [] Of the mean gradient, before clipping; written.

  double* squares;         ///< [kUpdateBlocks] Scratch.
  UpdateNumbers* numbers;  ///< Scratch.

  double weight_decay;
  double beta1;
  double beta2;
  double epsilon;
  double clip_norm;  ///< Infinity: the gradient is not clipped.
  double average_decay;
  int accumulation;  ///< Above 1 the gradient is zero afterwards.
};

}  // namespace seda::train::detail
