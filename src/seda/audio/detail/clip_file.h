// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "seda/base/file_descriptor.h"
#include "seda/base/result.h"

namespace seda::audio::detail {

/// A clip's file, and a window of its bytes in memory that is kept from file to file.
///
/// Read, not mapped: docs/decisions/audio.md. Never holds more than the file has. One thread at a
/// time.
class ClipFile {
 public:
  /// Reads at least `window` bytes at a time, where the file has them.
  explicit ClipFile(size_t window) : window_(window) {}

  /// Opens `path` in place of the file before, without waiting and without reading. The fault is
  /// audio_missing, audio_not_a_file or audio_unreadable; a machine out of descriptors or memory is
  /// an Error(io).
  std::optional<Fault> open(const std::filesystem::path& path);

  /// Lets go of the file; bytes that were handed out stay until the next `open`.
  void close() noexcept { file_.reset(); }

  uint64_t size() const noexcept { return size_; }

  /// `count` bytes from `offset` on, fewer where the file ends or cannot be read (`read_fault`).
  /// Valid until the next call. What is in the window already is not read again.
  std::span<const std::byte> bytes(uint64_t offset, size_t count);

  /// Whether a read failed since `open`: audio_unreadable.
  std::optional<Fault> read_fault() const;

  /// A fault of this file.
  Fault fault(std::string code, std::string evidence) const {
    return {name_, std::move(code), std::move(evidence)};
  }

 private:
  void fill(uint64_t offset, size_t count);

  size_t window_;
  std::string name_;
  FileDescriptor file_;
  uint64_t size_ = 0;
  std::vector<std::byte> buffer_;
  uint64_t begin_ = 0;  // of the window, in the file
  size_t filled_ = 0;
  int error_ = 0;
};

}  // namespace seda::audio::detail
