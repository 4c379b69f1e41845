// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json_whole.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace seda {

bool is_whole(const Json& value, int64_t least, uint64_t most) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned()) {
    const auto found = value.get<uint64_t>();
    return found <= most && std::cmp_greater_equal(found, least);
  }
  const auto found = value.get<int64_t>();
  return found >= least && std::cmp_less_equal(found, most);
}

}  // namespace seda
