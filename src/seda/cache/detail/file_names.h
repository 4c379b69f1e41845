// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/hash.h"

/// The names of a cache's own files, by which they are told from anybody else's.
namespace seda::cache::detail {

constexpr std::string_view kManifestFile = "MANIFEST.json";
constexpr std::string_view kManifestTemporary = "MANIFEST.json.tmp";
constexpr std::string_view kLockFile = "LOCK";

/// "audio-1a2b3c4d-0123456789abcdef.part": table, start of its fingerprint, number of the part.
struct PartName {
  std::string table;
  std::string fingerprint_start;
  uint64_t id = 0;

  bool belongs_to(std::string_view name, const Hash128& fingerprint) const;
  bool operator==(const PartName&) const = default;
};

bool is_table_name(std::string_view name);
std::string part_file_name(std::string_view table, const Hash128& fingerprint, uint64_t id);
std::optional<PartName> parse_part_file_name(std::string_view file);
/// The number in a part's name; 0 for a name that is none.
uint64_t part_number(std::string_view file);
std::string temporary_name(std::string_view part_file);

/// Names of the regular files in `folder` that are parts or temporaries, sorted. None where there
/// is no such folder.
std::vector<std::string> list_parts_and_temporaries(const std::filesystem::path& folder);

}  // namespace seda::cache::detail
