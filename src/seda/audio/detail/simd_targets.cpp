// SPDX-License-Identifier: Apache-2.0
//
// The three functions of libhwy that dispatch needs, in its place: the library measures the clock
// when it is loaded, which would cost every start of the program 6 ms (docs/decisions/audio.md).
// All else of Highway is in its headers.
#include <atomic>

#include <hwy/highway.h>

namespace hwy {
namespace {

std::atomic<int64_t> forced{0};  // 0: what the machine has

int64_t machine_targets() {
  int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  const auto has = [](bool all, int64_t target) { return all ? target : 0; };
  const bool sse4 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt");
  const bool avx3 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw");
  targets |= has(__builtin_cpu_supports("ssse3"), HWY_SSSE3) | has(sse4, HWY_SSE4) |
             has(sse4 && avx2, HWY_AVX2) | has(sse4 && avx2 && avx3, HWY_AVX3);
#endif
  return targets;
}

}  // namespace

int64_t SupportedTargets() {
  static const int64_t all = machine_targets();
  const int64_t only = forced.load(std::memory_order_relaxed);
  return only != 0 ? only : all;
}

void SetSupportedTargetsForTest(int64_t targets) {
  forced.store(targets, std::memory_order_relaxed);
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
