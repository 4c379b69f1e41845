// SPDX-License-Identifier: Apache-2.0
#include <asm/hwcap.h>
#include <sys/auxv.h>

#include "seda/base/detail/cpu_features.h"

namespace seda::detail {

std::string_view simd_level() {
  return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? "sve" : "neon";
}

bool has_bf16_products() {
  return false;
}

}  // namespace seda::detail
