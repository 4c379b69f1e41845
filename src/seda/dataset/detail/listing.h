// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace seda::dataset::detail {

/// Names in a folder, sorted, without those that begin with a dot.
struct Listing {
  std::filesystem::path folder;
  std::vector<std::string> files;  ///< Also pipes and devices: whatever is no folder.
  std::vector<std::string> folders;

  bool has_file(std::string_view name) const;
  bool has_folder(std::string_view name) const;
};

/// An Error(io) where the folder cannot be read. Links are followed.
Listing list_folder(const std::filesystem::path& folder);

/// The first 64 KiB of a regular file; nothing where it cannot be read.
std::string read_head(const std::filesystem::path& file);

/// The first line of a file's head that is not blank; nothing where the head is not text.
std::string read_first_line(const std::filesystem::path& file);

/// Files below `folder` that end with one of `suffixes`, sorted by path, at most `depth` folders
/// down (which also ends loops of links). Stops after `limit` finds.
std::vector<std::filesystem::path> find_below(const std::filesystem::path& folder,
                                              const std::vector<std::string>& suffixes, int depth,
                                              size_t limit);

}  // namespace seda::dataset::detail
