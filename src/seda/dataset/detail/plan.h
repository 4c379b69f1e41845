// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/dataset/format.h"
#include "seda/dataset/utterance.h"

namespace seda::dataset::detail {

/// A file to read, relative to the corpus folder; for vctk and libritts there is none.
struct MetadataFile {
  std::string name;
  std::optional<Split> split;  ///< Said by its name, where both splits have files.
};

/// Which format a corpus has and what to read of it.
struct Plan {
  std::filesystem::path folder;
  Format format = Format::ljspeech;
  std::string evidence;
  std::vector<MetadataFile> files;
};

/// Looks at a folder, or at one metadata file. Formats are tried in the order common_voice, split,
/// ljspeech, json_lines, vctk, libritts, table; `format` forces one. An Error(usage) lists what was
/// looked for and found where nothing fits, or says that nothing is there.
Plan make_plan(const std::filesystem::path& given, std::optional<Format> format);

}  // namespace seda::dataset::detail
