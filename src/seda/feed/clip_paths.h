// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace seda::feed {

/// Names files by their path below the corpus, so that the folder may be moved, and called by any
/// of its names; a file elsewhere keeps its own.
class ClipPaths {
 public:
  explicit ClipPaths(const std::filesystem::path& corpus);

  std::string operator()(const std::filesystem::path& file) const;

 private:
  std::string given_;     // the corpus as it was named,
  std::string absolute_;  // and from the root; each ends with a slash
};

}  // namespace seda::feed
