// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/mapped_file.h"
#include "seda/train/tensor_type.h"

namespace seda::train {

/// A named tensor whose elements belong to someone else: row by row, little-endian, without gaps.
struct TensorView {
  std::string name;  ///< UTF-8; not "__metadata__", which the format keeps for itself.
  TensorType type = TensorType::f32;
  std::vector<int64_t> shape;  ///< None of them: a scalar.
  std::span<const std::byte> bytes;
};

/// What a file says of itself; keys and values are UTF-8.
using TensorMetadata = std::map<std::string, std::string>;

/// Replaces `path`, or makes it, whole and on the disk (`AtomicFile`).
///
/// Tensors lie by type, wide ones first, then by name, so that each is aligned to its elements: the
/// same tensors make the same bytes, whatever their order here. Elements go to the system without
/// a second copy of the tensor. A full disk is an Error(io) and leaves the old file; bytes that do
/// not fit their shape, or a name that is given twice or may not be, are an Error(usage).
void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const TensorMetadata& metadata = {});

/// A safetensors file, mapped. Opening reads the header alone; elements are read when touched.
///
/// The views live as long as this object, also when it is moved. Any number of threads may read.
/// Nothing in the header is believed: whatever does not fit the file is an Error(io) that names
/// the file, the tensor, what was expected and what was found.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);

  /// In the order of their bytes. Those of other writers need not be aligned.
  std::span<const TensorView> tensors() const noexcept { return tensors_; }
  const TensorMetadata& metadata() const noexcept { return metadata_; }

  /// The tensor of that name, or null.
  const TensorView* find(std::string_view name) const;

  /// The tensor of that name, type and shape; anything else is an Error(io).
  const TensorView& get(std::string_view name, TensorType type,
                        std::span<const int64_t> shape) const;

 private:
  std::filesystem::path path_;
  MappedFile file_;
  std::vector<TensorView> tensors_;
  std::map<std::string, size_t, std::less<>> places_;  // name → index in tensors_
  TensorMetadata metadata_;
};

}  // namespace seda::train
