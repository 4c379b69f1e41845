// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "seda/base/file.h"
#include "tests/support/source_folder.h"

namespace seda::testing_support {

/// Folder of published speech data beside the project, or what SEDA_SHARED_DATA names. Tests that
/// need it skip where it is absent.
inline std::filesystem::path shared_data() {
  if (const char* named = std::getenv("SEDA_SHARED_DATA")) return named;
  return source_folder().parent_path() / "shared" / "data";
}

/// Lines `id|text` of a file, by id.
inline std::map<std::string, std::string> read_pairs(const std::filesystem::path& path) {
  std::map<std::string, std::string> pairs;
  const std::string content = read_file(path);
  for (size_t at = 0; at < content.size();) {
    const size_t end = std::min(content.find('\n', at), content.size());
    const std::string line = content.substr(at, end - at);
    const size_t bar = line.find('|');
    if (bar != std::string::npos) pairs[line.substr(0, bar)] = line.substr(bar + 1);
    at = end + 1;
  }
  return pairs;
}

}  // namespace seda::testing_support
