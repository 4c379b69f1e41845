// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "seda/base/file_descriptor.h"
#include "seda/base/mapped_file.h"
#include "seda/cache/detail/format.h"

namespace seda::cache::detail {

/// The bytes of a file that no longer changes, mapped or read on demand. Thread-safe.
class PartSource {
 public:
  /// Throws what `MappedFile` and `open_regular_file` throw.
  PartSource(const std::filesystem::path& path, bool map);

  uint64_t size() const { return size_; }
  bool is_mapped() const { return !file_; }

  /// Of a mapped file; the range must lie within it.
  std::span<const std::byte> view(uint64_t offset, uint64_t size) const {
    return map_.bytes().subspan(offset, size);
  }

  /// Fills `target`; false where the range leaves the file or the system cannot read it.
  bool read(uint64_t offset, std::span<std::byte> target) const;
  std::optional<Block> block(uint64_t offset) const;

  /// A hint: starts reading the range.
  void prefetch(uint64_t offset, uint64_t size) const noexcept;

 private:
  MappedFile map_;
  FileDescriptor file_;  // none where mapped
  uint64_t size_ = 0;
};

}  // namespace seda::cache::detail
