// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace seda::audio {

/// What stands before the values of a `.npy` file (NumPy, format 1.0) of float32 in C order; its
/// size is a multiple of 64.
std::string npy_header(std::span<const size_t> shape);

/// Writes the file in one step that survives a crash. Values that do not fill the shape are an
/// Error(internal).
void write_npy(const std::filesystem::path& path, std::span<const float> values,
               std::span<const size_t> shape);

}  // namespace seda::audio
