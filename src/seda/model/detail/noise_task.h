// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "seda/model/detail/philox.h"

/// What the twins of Noise share. Plain, for both compilers.
namespace seda::model::detail {

enum class NoiseKind : uint8_t {
  uniform,  ///< In [0, 1).
  normal,
  keep,  ///< 1 / keep with probability keep, else 0.
};

constexpr int kNoiseGroup = 4;  ///< Numbers of one counter.

/// An array to fill, passed by value. Pointers are of the device that fills it.
struct NoiseTask {
  uint64_t seed;
  const int64_t* batch;  ///< Its number.
  uint32_t place;        ///< Use and site.
  uint32_t first_row;
  uint32_t row_step;
  int64_t rows;
  int64_t row_size;  ///< Elements.
  NoiseKind kind;
  float keep;
  float* values;  ///< [rows, row_size]
};

constexpr int64_t noise_groups(const NoiseTask& task) {
  return (task.row_size + kNoiseGroup - 1) / kNoiseGroup;
}

/// The words of elements 4 · group … 4 · group + 3 of a row.
constexpr PhiloxCounter noise_words(const NoiseTask& task, uint64_t batch, int64_t row,
                                    int64_t group) {
  const uint32_t global_row = task.first_row + static_cast<uint32_t>(row) * task.row_step;
  return philox(
      {{static_cast<uint32_t>(group), global_row, static_cast<uint32_t>(batch), task.place}},
      {{static_cast<uint32_t>(task.seed), static_cast<uint32_t>(task.seed >> 32)}});
}

/// In [0, 1): the upper 24 bits, which a float holds exactly.
constexpr float noise_fraction(uint32_t word) {
  return static_cast<float>(word >> 8) * (1.0F / 16777216.0F);
}

/// In (0, 1], for a logarithm.
constexpr float noise_positive_fraction(uint32_t word) {
  return static_cast<float>((word >> 8) + 1) * (1.0F / 16777216.0F);
}

}  // namespace seda::model::detail
