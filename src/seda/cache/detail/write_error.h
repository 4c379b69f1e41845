// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "seda/base/file_descriptor.h"

/// Writing below a cache folder. Failures are an Error(io) that names the path, the space that was
/// needed and is there, and what to do.
namespace seda::cache::detail {

[[noreturn]] void throw_write_error(const std::filesystem::path& path, int code,
                                    uint64_t needed_bytes = 0);

/// Makes the file, or empties it.
FileDescriptor open_for_writing(const std::filesystem::path& path);
void write_or_explain(int descriptor, std::span<const std::byte> bytes,
                      const std::filesystem::path& path);
void sync_or_explain(int descriptor, const std::filesystem::path& path);
void rename_or_explain(const std::filesystem::path& from, const std::filesystem::path& to);

/// A file that goes with its guard, unless it was kept.
class RemovedUnlessKept {
 public:
  explicit RemovedUnlessKept(std::filesystem::path path) : path_(std::move(path)) {}
  ~RemovedUnlessKept();
  RemovedUnlessKept(const RemovedUnlessKept&) = delete;
  RemovedUnlessKept& operator=(const RemovedUnlessKept&) = delete;

  void keep() noexcept { path_.clear(); }

 private:
  std::filesystem::path path_;
};

}  // namespace seda::cache::detail
