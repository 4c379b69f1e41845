// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "seda/base/random.h"
#include "seda/cache/cache.h"
#include "seda/cache/description.h"
#include "seda/cache/writer.h"
#include "tests/support/temporary_folder.h"

namespace seda::cache::testing_support {

using seda::testing_support::read_file;
using seda::testing_support::TemporaryFolder;

/// What a table should hold.
using Oracle = std::map<Key, std::string>;

inline const Json kDescription = {{"version", 1}, {"mel", {{"n_mels", 80}, {"hop", 256}}}};

inline Key key_of(uint64_t number) {
  return hash128(fmt::format("key {}", number));
}

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Bytes that depend on both numbers alone.
inline std::string content_of(uint64_t number, size_t size) {
  std::string text(size, '\0');
  Random random(number, size);
  for (char& c : text)
    c = static_cast<char>(random());
  return text;
}

/// A writer that seals only when told to.
inline WriterOptions quiet_writer() {
  return {.part_bytes = uint64_t{1} << 40, .seal_seconds = 1e9};
}

inline void append_text(TableWriter table, const Key& key, std::string_view text) {
  table.append(key, {.bytes = bytes_of(text), .dims = {}, .type = DataType::raw});
}

/// A cache of one table and one part with records `key_of(0..count)`.
inline Oracle write_cache(const std::filesystem::path& folder, uint64_t count, size_t size = 100) {
  Writer writer(folder, quiet_writer());
  const TableWriter table = writer.table("audio", kDescription);
  Oracle oracle;
  for (uint64_t i = 0; i < count; ++i) {
    oracle[key_of(i)] = content_of(i, size);
    append_text(table, key_of(i), oracle[key_of(i)]);
  }
  writer.seal();
  return oracle;
}

inline const Table& table_of(const Cache& cache, std::string_view name = "audio",
                             const Json& description = kDescription) {
  const Table* table = cache.find_table(name, fingerprint_of(description));
  if (table == nullptr) throw std::runtime_error("no such table");
  return *table;
}

/// Everything a table gives, by iteration.
inline Oracle contents(const Table& table) {
  Oracle out;
  table.for_each([&](const Entry& entry) {
    const auto record = table.read(entry.address);
    out[entry.key] = record ? text_of(record.value().bytes) : "fault: " + record.fault().evidence;
  });
  return out;
}

inline Oracle contents(const std::filesystem::path& folder) {
  const auto cache = Cache::open(folder, {.verify = true});
  return contents(table_of(*cache));
}

/// The part files in a folder.
inline std::vector<std::filesystem::path> part_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".part") files.push_back(entry.path());
  }
  return files;
}

inline void write_bytes(const std::filesystem::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

}  // namespace seda::cache::testing_support
