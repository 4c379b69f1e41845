// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>

namespace seda {

/// How a mapping will be read.
enum class Access {
  normal,
  sequential,  ///< Read far ahead, drop behind.
  random,      ///< Read nothing ahead.
  soon,        ///< Start reading now.
};

/// A regular file in memory, read-only, until its owner goes. The pages are the page cache's own:
/// nothing is copied, and reading costs memory only while there is some to spare.
///
/// Any number of threads may read. The file must not be cut shorter meanwhile: touching what was
/// lost ends the process (SIGBUS). Replacing it by rename is fine.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  /// Empty for an empty file.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  size_t size() const noexcept { return bytes_.size(); }

  /// A hint for the range, cut to the file; the system may ignore it, so nothing is thrown.
  void advise(Access access, uint64_t offset = 0,
              uint64_t length = std::numeric_limits<uint64_t>::max()) const noexcept;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace seda
