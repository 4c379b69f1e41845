// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/dataset/detail/listing.h"
#include "seda/dataset/detail/plan.h"

namespace seda::dataset::detail {

/// What a format's finder saw in a folder.
struct Finding {
  std::vector<MetadataFile> files;
  std::string evidence;
};

/// What this format's files would be in the folder, if they are there. `forced`: the user says that
/// the folder has this format, so that names decide and content is not asked.
std::optional<Finding> find_format(Format format, const Listing& listing, bool forced);

/// What `find_format` looks for, in words: "metadata.csv beside wavs/".
std::string_view looked_for(Format format);

/// The format of one metadata file by its first line, or nothing.
std::optional<Format> format_of_line(std::string_view line);

}  // namespace seda::dataset::detail
