// SPDX-License-Identifier: Apache-2.0
#include "seda/base/detail/cpu_features.h"

namespace seda::detail {

std::string_view simd_level() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "avx512";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "avx2";
  if (__builtin_cpu_supports("sse4.2")) return "sse4";
  return "sse2";
}

bool has_bf16_products() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512bf16") != 0;
}

}  // namespace seda::detail
