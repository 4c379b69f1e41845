// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

namespace seda::fuzz {

/// A file in memory alone, with a path as every other, for what reads files by their names.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = {}) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (file_ < 0) std::abort();
    replace(content);
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  void replace(std::string_view content) const {
    if (::ftruncate(file_, 0) != 0) std::abort();
    const auto size = static_cast<ssize_t>(content.size());
    if (::pwrite(file_, content.data(), content.size(), 0) != size) std::abort();
  }

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace seda::fuzz
