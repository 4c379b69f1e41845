// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "seda/base/file_descriptor.h"
#include "seda/cache/detail/format.h"
#include "seda/cache/detail/manifest.h"
#include "seda/cache/detail/write_error.h"

namespace seda::cache::detail {

/// A part in the making, under a temporary name that goes with the object unless sealed.
///
/// Not thread-safe. After an Error it can only be destroyed.
class PartWriter {
 public:
  PartWriter(std::filesystem::path folder, std::string_view table, const Hash128& fingerprint);

  /// `checksum` is that of the bytes. Under a key that is there, the new record takes the place of
  /// the old.
  void append(const Key& key, const RecordView& data, uint64_t checksum);

  bool contains(const Key& key) const { return positions_.contains(key); }
  const std::vector<IndexEntry>& entries() const { return entries_; }
  uint64_t bytes() const { return offset_; }
  bool is_full(uint64_t limit) const;

  /// Index and footer, content to disk, name into place (the folder is not synced). Once.
  PartRecord seal();

 private:
  PartWriter(std::filesystem::path folder, std::string_view table, const PartHeader& header);

  struct KeyHash {
    size_t operator()(const Key& key) const noexcept { return key.low; }
  };

  void put(std::span<const std::byte> bytes);
  void pad();
  void flush();
  void write_index();

  std::filesystem::path folder_;
  std::string file_name_;
  std::filesystem::path temporary_;
  RemovedUnlessKept guard_;
  FileDescriptor file_;
  uint64_t seed_ = 0;
  uint64_t offset_ = 0;
  std::vector<std::byte> pending_;
  std::vector<IndexEntry> entries_;
  std::unordered_map<Key, uint32_t, KeyHash> positions_;  // in entries_
};

}  // namespace seda::cache::detail
