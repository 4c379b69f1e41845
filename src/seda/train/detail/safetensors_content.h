// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "seda/train/safetensors.h"

namespace seda::train::detail {

/// What a safetensors file holds; the views point into its bytes.
struct SafetensorsContent {
  std::vector<TensorView> tensors;  ///< In the order of their bytes.
  TensorMetadata metadata;
};

/// Reads the header of a whole file. Accepted are tensors that cover what follows the header
/// without gap or overlap, each with its own name and as long as type and shape make it. Anything
/// else is an Error(io) that begins with `where`.
SafetensorsContent read_content(std::span<const std::byte> file, std::string_view where);

}  // namespace seda::train::detail
