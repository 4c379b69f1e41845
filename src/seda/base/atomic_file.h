// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "seda/base/file_descriptor.h"

namespace seda {

/// A file written beside its final place and moved there whole: readers see the old content or the
/// new, at any instant and after a crash.
///
/// Without `commit` the temporary file is removed and the old one stays. A symbolic link stays and
/// the file it points to is replaced. Permissions (and, where the system allows it, the owner) of
/// the replaced file are kept; hard links to it are not. A device or pipe (`/dev/stdout`) cannot be
/// replaced and is written in place.
class AtomicFile {
 public:
  /// Opens the temporary in the folder of `path`, which must exist.
  explicit AtomicFile(const std::filesystem::path& path);

  /// Adds to the content; gathered, so small pieces are cheap.
  void append(std::string_view content);

  /// Content to disk, name into place, folder to disk. Once.
  void commit();

 private:
  /// A name that is removed from its folder unless forgotten.
  class TemporaryName {
   public:
    TemporaryName() = default;
    ~TemporaryName();
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;

    std::filesystem::path path;  // empty: none
  };

  void flush();
  void open_temporary();
  void keep_identity_of_target() const;

  std::filesystem::path target_;  // links followed
  TemporaryName temporary_;       // none once moved, nor for a file written in place
  FileDescriptor file_;
  std::string pending_;
};

}  // namespace seda
