// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace seda::config {

/// What to do about a key or section that is not in the schema: "did you mean training.lr?". Looks
/// for the same name in another section, then for a similar one.
std::string suggestion(std::string_view unknown_path);

}  // namespace seda::config
