// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace seda {

/// An empty folder among the system's temporary files, gone with all that is in it at the end of
/// its life.
class ScratchFolder {
 public:
  /// Error(io) where none can be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace seda
