// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace seda::audio::detail {

/// One pass over blocks of `radix · span` points: of each block, every `span`-th point is brought
/// together, and what comes out falls apart into `radix` blocks of `span` points.
struct FftPass {
  int radix = 0;  ///< 2, 3, 4, 5 or 8.
  size_t span = 0;
  size_t twiddles = 0;  ///< Where its factors begin: `[span, radix - 1]` complex; none for span 1.
};

/// Two bins of the real transform, k and points - k, which come from the same two points.
struct FftPair {
  uint32_t position = 0;    ///< Of point k.
  uint32_t mirror = 0;      ///< Of point points - k, modulo points.
  uint32_t bin = 0;         ///< k
  uint32_t mirror_bin = 0;  ///< points - k
  float cosine = 0;         ///< Real part of exp(-2πj · k / n_fft).
  float sine = 0;           ///< Imaginary part of exp(-2πj · k / n_fft).
};

/// The pairs that need just block `residue` and block `radix - residue` of the first pass.
struct FftPairs {
  int residue = 0;
  size_t begin = 0;       ///< From here to `one_wanted`, both bins of a pair are wanted.
  size_t one_wanted = 0;  ///< From here to `end`, only the first bin of a pair is wanted.
  size_t end = 0;         ///< One beyond the last pair.
};

/// How n_fft real samples become n_fft / 2 + 1 bins.
///
/// Samples 2i and 2i + 1 are the real and imaginary part of point i. The n_fft / 2 points are
/// transformed in place by passes of decimation in frequency, which leave point k at `position[k]`;
/// the bins follow by pairs. Tables are computed in double precision.
struct FftPlan {
  size_t n_fft = 0;
  size_t points = 0;        ///< n_fft / 2.
  size_t block_stride = 0;  ///< From block to block of the first pass, in points.
  std::vector<FftPass> passes;
  std::vector<float> twiddles;
  std::vector<uint32_t> position;
  std::vector<FftPair> pairs;
  std::vector<FftPairs> pair_groups;  ///< One for each residue up to radix / 2 of the first pass.
};

/// Points in memory, gaps included.
size_t fft_memory(const FftPlan& plan);

/// Plans for the bins from `first` to before `end`; others are not made. `n_fft` is even with no
/// prime factor but 2, 3 and 5.
FftPlan make_fft_plan(size_t n_fft, size_t first, size_t end);
inline FftPlan make_fft_plan(size_t n_fft) {
  return make_fft_plan(n_fft, 0, n_fft / 2 + 1);
}

}  // namespace seda::audio::detail
