// SPDX-License-Identifier: Apache-2.0
#include "seda/base/clock.h"

#include <array>
#include <ctime>

namespace seda {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

}  // namespace seda
