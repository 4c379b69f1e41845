// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::audio::detail {

/// Instruction sets that this machine has and this build was made for, the widest first: "AVX3",
/// "AVX2", "SSE4"; "NEON".
std::vector<std::string> simd_levels();

/// While it lives, this process computes with one instruction set: for tests and benchmarks. One at
/// a time, and not while other threads compute. A name that `simd_levels` does not have is an
/// Error(usage).
class ForceSimdLevel {
 public:
  explicit ForceSimdLevel(std::string_view name);
  ~ForceSimdLevel();
  ForceSimdLevel(const ForceSimdLevel&) = delete;
  ForceSimdLevel& operator=(const ForceSimdLevel&) = delete;
};

}  // namespace seda::audio::detail
