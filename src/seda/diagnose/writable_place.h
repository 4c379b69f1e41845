// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda::diagnose {

/// What is there of a path: itself, or the nearest above it.
std::filesystem::path existing_part(const std::filesystem::path& path);

/// Whether files could be made in the folder or, where it is not there yet, the folder itself.
bool is_writable(const std::filesystem::path& folder);

}  // namespace seda::diagnose
