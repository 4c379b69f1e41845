// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/file_names.h"

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <fmt/format.h>

#include "seda/base/error.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartSuffix = ".part";
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr size_t kFingerprintDigits = 8;
constexpr size_t kIdDigits = 16;
constexpr size_t kMostNameBytes = 32;

bool is_hex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Parts and temporaries: what a writer makes and may remove.
bool is_part_or_temporary(std::string_view file) {
  if (file == kManifestTemporary) return true;
  if (file.ends_with(kTemporarySuffix)) file.remove_suffix(kTemporarySuffix.size());
  return parse_part_file_name(file).has_value();
}

}  // namespace

bool is_table_name(std::string_view name) {
  return !name.empty() && name.size() <= kMostNameBytes && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string part_file_name(std::string_view table, const Hash128& fingerprint, uint64_t id) {
  return fmt::format("{}-{}-{:016x}{}", table, fingerprint.hex().substr(0, kFingerprintDigits), id,
                     kPartSuffix);
}

bool PartName::belongs_to(std::string_view name, const Hash128& fingerprint) const {
  return table == name && fingerprint.hex().starts_with(fingerprint_start);
}

std::optional<PartName> parse_part_file_name(std::string_view file) {
  constexpr size_t kTail = 1 + kFingerprintDigits + 1 + kIdDigits + kPartSuffix.size();
  if (file.size() <= kTail || !file.ends_with(kPartSuffix)) return {};
  const std::string_view table = file.substr(0, file.size() - kTail);
  const std::string_view start = file.substr(table.size() + 1, kFingerprintDigits);
  const std::string_view id = file.substr(table.size() + 2 + kFingerprintDigits, kIdDigits);
  if (file[table.size()] != '-' || file[table.size() + 1 + kFingerprintDigits] != '-') return {};
  if (!is_table_name(table) || !is_hex(start) || !is_hex(id)) return {};
  PartName name{.table = std::string(table), .fingerprint_start = std::string(start), .id = 0};
  std::from_chars(id.data(), id.data() + id.size(), name.id, 16);
  return name;
}

uint64_t part_number(std::string_view file) {
  const auto name = parse_part_file_name(file);
  return name ? name->id : 0;
}

std::string temporary_name(std::string_view part_file) {
  return std::string(part_file) + std::string(kTemporarySuffix);
}

std::vector<std::string> list_parts_and_temporaries(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (is_part_or_temporary(name) && it->symlink_status(ignored).type() == fs::file_type::regular)
      names.push_back(name);
  }
  if (error && error != std::errc::no_such_file_or_directory)
    throw_errno("cannot list", folder.native(), error.value());
  std::ranges::sort(names);
  return names;
}

}  // namespace seda::cache::detail
