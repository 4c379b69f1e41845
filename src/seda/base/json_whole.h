// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "seda/base/json.h"

namespace seda {

/// Whether `value` is a whole number within these. `get` of an integer would also take 3.5, true
/// and what the type does not hold, as another number.
bool is_whole(const Json& value, int64_t least, uint64_t most);

/// Whether a `Whole` holds it.
template <std::integral Whole>
bool is_whole(const Json& value) {
  using Limits = std::numeric_limits<Whole>;
  return is_whole(value, static_cast<int64_t>(Limits::min()), static_cast<uint64_t>(Limits::max()));
}

}  // namespace seda
