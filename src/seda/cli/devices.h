// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"

namespace seda::cli {

/// Every device of this machine with name and memory; where there is no GPU, an entry that says
/// why. Starts CUDA, which may take a second.
Json devices_json();

/// One entry of it for people.
std::string device_text(const Json& device);

}  // namespace seda::cli
