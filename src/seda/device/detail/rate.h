// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace seda::device::detail {

/// Growth of a counter for each second; 0 where no time passed or the counter fell (it wrapped or
/// began anew).
inline double rate(uint64_t before, uint64_t now, double seconds) noexcept {
  return seconds > 0 && now >= before ? static_cast<double>(now - before) / seconds : 0;
}

}  // namespace seda::device::detail
