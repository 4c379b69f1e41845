// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "seda/base/hash.h"
#include "seda/base/json.h"

namespace seda::cache::detail {

/// A part as the manifest names it.
struct PartRecord {
  std::string file;
  uint64_t bytes = 0;
  uint64_t records = 0;
  uint64_t replaces = 0;  ///< Keys in it that older parts of the table have too.

  bool operator==(const PartRecord&) const = default;
};

/// A table as the manifest names it; parts from the oldest to the newest.
struct TableEntry {
  std::string name;
  Hash128 fingerprint;
  Json description;
  std::vector<PartRecord> parts;

  bool operator==(const TableEntry&) const = default;
};

/// What is in a cache folder. Whatever it does not name is not there.
struct Manifest {
  uint64_t generation = 0;  ///< Grows with each commit.
  std::vector<TableEntry> tables;

  TableEntry* find(std::string_view name, const Hash128& fingerprint);
  const TableEntry* find(std::string_view name, const Hash128& fingerprint) const;
  bool names(std::string_view part_file) const;
  bool operator==(const Manifest&) const = default;
};

/// JSON whose last line holds the checksum of all bytes before it.
std::string to_text(const Manifest& manifest);

/// Inverse of `to_text`; an Error(io) names `where`, what is wrong and what to do.
Manifest parse_manifest(std::string_view text, const std::string& where);

/// Nothing where there is none. One that is missing while parts are there is an Error(io).
std::optional<Manifest> read_manifest(const std::filesystem::path& folder);

/// Whether the file begins as a manifest does, sound or not.
bool claims_to_be_manifest(const std::filesystem::path& path);

/// Puts it in place of the old one in one step: at any instant the folder holds the old or the new.
/// It is the new for good once the folder is synced (`sync_folder`). The caller holds the lock.
void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace seda::cache::detail
