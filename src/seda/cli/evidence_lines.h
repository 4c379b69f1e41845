// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "seda/base/json.h"

namespace seda::cli {

/// What was found, for people: names in words and values with their units, nested ones with the
/// names that lead to them. Units come from the ends of the names: `_bytes`, `_s`, `_ms`, `_share`.
std::vector<std::pair<std::string, std::string>> evidence_lines(const Json& evidence);

}  // namespace seda::cli
