// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace seda::testing_support {

/// Folder → the folders it may include, besides itself.
using LayerRules = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;
const LayerRules& layer_rules();

/// One include that breaks a rule.
struct Violation {
  std::string file;    ///< Relative to the folder that was checked.
  int line = 0;        ///< 1-based.
  std::string header;  ///< As written between quotes or brackets.
  std::string reason;

  std::string text() const;
};

/// Reads every source file below `root` (the folder that holds base, config, …) and holds each
/// include against the layers and the containment of third-party headers (docs/architecture.md).
///
/// A folder or a third-party header that no rule knows is a violation too: whoever adds one decides
/// where it belongs.
std::vector<Violation> check_includes(const std::filesystem::path& root);

}  // namespace seda::testing_support
