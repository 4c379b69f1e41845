// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace seda::feed {

/// The i-th of n machines that prepare one corpus together, from 0.
struct Shard {
  uint32_t index = 0;
  uint32_t count = 1;

  bool operator==(const Shard&) const = default;
};

/// "0/8" is the first of eight. Anything else is an Error(usage).
Shard parse_shard(std::string_view text);

}  // namespace seda::feed
