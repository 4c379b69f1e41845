// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace seda::speak {

/// The number of `given` among `names`: a name, or else a number from 0. `kind` ("speaker") is for
/// the message: an Error(usage) that names the nearest and lists them.
int32_t find_name(std::string_view kind, std::string_view given,
                  std::span<const std::string> names);

}  // namespace seda::speak
