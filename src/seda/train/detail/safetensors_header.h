// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/train/safetensors.h"

namespace seda::train::detail {

/// The most that a header may take, after its length.
constexpr size_t kMostHeaderBytes = 100'000'000;

/// The name under which a header keeps the metadata.
constexpr std::string_view kMetadataName = "__metadata__";

/// Bytes of the elements; nothing where a length is negative or 64 bits cannot count them.
std::optional<uint64_t> count_bytes(TensorType type, std::span<const int64_t> shape);

/// The tensors as a file holds them: wide types first, then by name. One that cannot be written is
/// an Error(usage) that begins with `where`.
std::vector<const TensorView*> file_order(std::span<const TensorView> tensors,
                                          std::string_view where);

/// Everything before the elements: length, JSON, spaces up to a multiple of 8.
std::string header_bytes(std::span<const TensorView* const> ordered, const TensorMetadata& metadata,
                         std::string_view where);

}  // namespace seda::train::detail
