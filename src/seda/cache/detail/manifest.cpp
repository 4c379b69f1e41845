// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/manifest.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "seda/base/error.h"
#include "seda/base/file.h"
#include "seda/base/file_descriptor.h"
#include "seda/base/json_object.h"
#include "seda/base/units.h"
#include "seda/cache/description.h"
#include "seda/cache/detail/file_names.h"
#include "seda/cache/detail/format.h"
#include "seda/cache/detail/write_error.h"

namespace seda::cache::detail {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostManifestBytes = uint64_t{256} << 20;

[[noreturn]] void throw_damaged(const std::string& where, std::string_view what) {
  throw_error(ErrorKind::io,
              "{} is damaged: {}; put it back from a copy, or remove the cache with 'seda cache "
              "clear' and prepare again",
              where, what);
}

[[noreturn]] void throw_newer(const std::string& where, uint64_t format) {
  throw_error(ErrorKind::io,
              "{} was written by a newer seda (format {}; this one reads up to {}); use that "
              "version, or another folder with --cache-dir",
              where, format, kFormat);
}

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

std::string tail_for(std::string_view body) {
  return fmt::format("\"checksum\": \"{:016x}\"\n}}\n", hash64(body));
}

/// The bytes that the last line vouches for; nothing where it does not.
std::optional<std::string_view> checked_body(std::string_view text) {
  const size_t tail_bytes = tail_for("").size();
  if (text.size() < tail_bytes) return {};
  const std::string_view body = text.substr(0, text.size() - tail_bytes);
  if (text.substr(body.size()) != tail_for(body)) return {};
  return body;
}

/// The format that a text claims, however broken; 0 where it claims none.
uint64_t claimed_format(std::string_view text) {
  constexpr std::string_view kField = "\"seda_cache\": ";
  const size_t at = text.substr(0, 64).find(kField);
  if (at == std::string_view::npos) return 0;
  uint64_t format = 0;
  std::from_chars(text.data() + at + kField.size(), text.data() + text.size(), format);
  return format;
}

Json to_json(const PartRecord& part) {
  return {{"file", part.file},
          {"bytes", part.bytes},
          {"records", part.records},
          {"replaces", part.replaces}};
}

Json to_json(const TableEntry& table) {
  Json parts = Json::array();
  for (const PartRecord& part : table.parts)
    parts.push_back(to_json(part));
  return {{"name", table.name},
          {"fingerprint", table.fingerprint.hex()},
          {"description", table.description},
          {"parts", parts}};
}

PartRecord part_from(const JsonObject& value, const TableEntry& table) {
  PartRecord part{.file = value.get<std::string>("file"),
                  .bytes = value.get<uint64_t>("bytes"),
                  .records = value.get<uint64_t>("records"),
                  .replaces = value.get<uint64_t>("replaces")};
  const auto name = parse_part_file_name(part.file);
  if (!name || !name->belongs_to(table.name, table.fingerprint))
    throw_error(ErrorKind::io, "'{}' is no part of table '{}'", part.file, table.name);
  if (part.replaces > part.records)
    throw_error(ErrorKind::io, "part '{}' replaces more than it holds", part.file);
  return part;
}

TableEntry table_from(const JsonObject& value) {
  TableEntry table{.name = value.get<std::string>("name"),
                   .fingerprint = fingerprint_of(value.at("description")),
                   .description = value.at("description"),
                   .parts = {}};
  if (!is_table_name(table.name))
    throw_error(ErrorKind::io, "'{}' is not a table's name", table.name);
  if (value.at("fingerprint") != table.fingerprint.hex()) {
    throw_error(ErrorKind::io, "table '{}' does not have the fingerprint of its description",
                table.name);
  }
  for (const Json& part : value.list("parts"))
    table.parts.push_back(part_from({part, "a part of table '" + table.name + "'"}, table));
  return table;
}

void refuse_repetition(const Manifest& manifest) {
  std::set<std::pair<std::string, Hash128>> tables;
  std::set<uint64_t> parts;
  for (const TableEntry& table : manifest.tables) {
    if (!tables.emplace(table.name, table.fingerprint).second)
      throw_error(ErrorKind::io, "table '{}' is named twice", table.name);
    for (const PartRecord& part : table.parts) {
      if (!parts.insert(part_number(part.file)).second)
        throw_error(ErrorKind::io, "part '{}' is named twice", part.file);
    }
  }
}

Manifest manifest_from(const JsonObject& value) {
  if (value.get<uint64_t>("seda_cache") != kFormat)
    throw_error(ErrorKind::io, "its format is not {}", kFormat);
  Manifest manifest{.generation = value.get<uint64_t>("generation"), .tables = {}};
  for (const Json& table : value.list("tables"))
    manifest.tables.push_back(table_from({table, "a table"}));
  refuse_repetition(manifest);
  return manifest;
}

}  // namespace

TableEntry* Manifest::find(std::string_view name, const Hash128& fingerprint) {
  const auto found = std::ranges::find_if(tables, [&](const TableEntry& table) {
    return table.name == name && table.fingerprint == fingerprint;
  });
  return found != tables.end() ? &*found : nullptr;
}

const TableEntry* Manifest::find(std::string_view name, const Hash128& fingerprint) const {
  const auto found = std::ranges::find_if(tables, [&](const TableEntry& table) {
    return table.name == name && table.fingerprint == fingerprint;
  });
  return found != tables.end() ? &*found : nullptr;
}

bool Manifest::names(std::string_view part_file) const {
  return std::ranges::any_of(tables, [&](const TableEntry& table) {
    return std::ranges::find(table.parts, part_file, &PartRecord::file) != table.parts.end();
  });
}

std::string to_text(const Manifest& manifest) {
  Json tables = Json::array();
  for (const TableEntry& table : manifest.tables)
    tables.push_back(to_json(table));
  const std::string inner = to_json_text(
      {{"seda_cache", kFormat}, {"generation", manifest.generation}, {"tables", tables}});
  const std::string text = inner.substr(0, inner.rfind("\n}")) + ",\n  ";
  return text + tail_for(text);
}

Manifest parse_manifest(std::string_view text, const std::string& where) {
  if (const uint64_t format = claimed_format(text); format > kFormat) throw_newer(where, format);
  if (!checked_body(text)) throw_damaged(where, "its checksum does not match its content");
  try {
    return manifest_from({parse_json(text, where), "manifest"});
  } catch (const Error& error) {
    throw_damaged(where, error.what());
  }
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifestFile;
  if (is_there(path)) {
    try {
      return parse_manifest(read_file(path, kMostManifestBytes), path.native());
    } catch (const Error&) {
      if (is_there(path)) throw;  // else it was cleared meanwhile
    }
  }
  const auto files = list_parts_and_temporaries(folder);
  const auto parts = std::ranges::count_if(
      files, [](const std::string& file) { return parse_part_file_name(file).has_value(); });
  if (parts == 0) return std::nullopt;
  if (is_there(path)) return read_manifest(folder);  // made between the two looks
  throw_error(ErrorKind::io,
              "{} is missing, but {} of a cache {} there; put it back from a copy, or remove "
              "the cache with 'seda cache clear' and prepare again",
              path.native(), format_count(static_cast<uint64_t>(parts), "part"),
              parts == 1 ? "is" : "are");
}

bool claims_to_be_manifest(const fs::path& path) {
  return claimed_format(read_file(path, kMostManifestBytes)) > 0;
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
  const fs::path temporary = folder / kManifestTemporary;
  const fs::path target = folder / kManifestFile;
  const std::string text = to_text(manifest);
  RemovedUnlessKept guard(temporary);
  FileDescriptor file = open_for_writing(temporary);
  write_or_explain(file.get(), std::as_bytes(std::span(text)), temporary);
  sync_or_explain(file.get(), temporary);
  file.reset();
  rename_or_explain(temporary, target);
  guard.keep();
}

}  // namespace seda::cache::detail
