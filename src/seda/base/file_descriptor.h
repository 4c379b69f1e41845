// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

#include <sys/stat.h>

namespace seda {

/// An open file of the system, closed with its owner.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) noexcept : number_(number) {}
  ~FileDescriptor() { reset(); }

  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }

  /// Closes now. Errors are lost: whoever wrote has synced before.
  void reset() noexcept;

 private:
  int number_ = -1;
};

/// open(2) with O_CLOEXEC; an Error(io) names the path and the reason.
FileDescriptor open_file(const std::filesystem::path& path, int flags, mode_t mode = 0);

/// Opens a regular file for reading. A folder, pipe or device in its place is an Error(io) that
/// says what was found; it never blocks on a pipe without a writer. `status` receives fstat's
/// answer.
FileDescriptor open_regular_file(const std::filesystem::path& path, struct stat& status);

}  // namespace seda
