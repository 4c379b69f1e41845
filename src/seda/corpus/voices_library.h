// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace seda::corpus {

constexpr int kVoicesInterface = 1;

/// What `libseda_voices.so` offers: flite's English voices, which are 20 MB of tables and therefore
/// opened only by who speaks. Plain types only; `seda_voices_library(kVoicesInterface)` returns it.
///
/// All functions are thread-safe.
struct VoicesLibrary {
  int (*count)();
  /// Short name, "slt"; voices are numbered from 0.
  const char* (*name)(int voice);
  /// Mono samples of `text`, to be given to `release`; null where flite failed. The same seed gives
  /// the same samples whatever else was or is being said.
  const int16_t* (*speak)(int voice, const char* text, uint64_t seed, size_t* samples,
                          int* sample_rate);
  void (*release)(const int16_t* samples);
};

}  // namespace seda::corpus
