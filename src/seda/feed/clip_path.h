// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace seda::feed {

/// The path below the corpus, so that the folder may be moved; of a file elsewhere, as it is.
std::string path_in_corpus(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace seda::feed
