// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace seda::dataset {

/// Extensions of sound files, with their dot, in the order they are tried.
const std::vector<std::string>& audio_extensions();

/// Length of the known extension `name` ends with, in any case, or 0.
size_t audio_extension_length(std::string_view name);

}  // namespace seda::dataset
