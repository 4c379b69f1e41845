// SPDX-License-Identifier: Apache-2.0
#include "seda/base/detail/cpu_features.h"

namespace seda::detail {

std::string_view simd_level() {
  return "none";
}

bool has_bf16_products() {
  return false;
}

}  // namespace seda::detail
