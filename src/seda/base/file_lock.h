// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "seda/base/error.h"
#include "seda/base/file_descriptor.h"

namespace seda {

/// Who holds a lock, as it wrote itself into the lock file.
struct LockHolder {
  int64_t pid = 0;
  std::string host;
  std::string since;  ///< UTC, "2026-03-01T12:00:00Z".

  bool operator==(const LockHolder&) const = default;
};

/// "process 4242 on studio since 2026-03-01T12:00:00Z".
std::string describe(const LockHolder& holder);

/// The Error(unavailable) of a lock that is held elsewhere.
class LockHeld : public Error {
 public:
  using Error::Error;
};

/// Holds a lock file for its life: one holder among all processes and, within one, all objects.
///
/// Advisory: binds those that ask. The kernel keeps it, so it goes with its process however that
/// ends (a child made by fork without exec shares it and must end too); no lock is ever stale. The
/// file stays, empty, when the lock is given up.
class FileLock {
 public:
  /// Takes the lock, making the file; held elsewhere is a `LockHeld` that names the holder.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();

  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) noexcept = default;

  /// The lock, or nothing when it is held elsewhere.
  static std::optional<FileLock> try_lock(const std::filesystem::path& path);

  /// Whether the file that it locks is the one at `path`. Another's, where that was removed or put
  /// in its place meanwhile, binds nobody.
  bool is_at(const std::filesystem::path& path) const;

  /// Who holds it now: nothing when nobody does, or when the holder's record cannot be read.
  static std::optional<LockHolder> holder(const std::filesystem::path& path);

 private:
  explicit FileLock(FileDescriptor file) : file_(std::move(file)) {}

  FileDescriptor file_;
};

}  // namespace seda
