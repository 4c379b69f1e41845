// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/clip_path.h"

namespace seda::feed {

std::string path_in_corpus(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::string prefix = folder.string();
  if (!prefix.ends_with('/')) prefix += '/';
  const std::string path = file.string();
  return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
}

}  // namespace seda::feed
