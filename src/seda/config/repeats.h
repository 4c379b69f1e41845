// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace seda::config {

/// A text and what is no longer in it.
struct Shortened {
  std::string text;
  std::vector<std::string> dropped;  ///< Paths.
};

/// `text` without entries that say once more what one of the same name in their section has said
/// before, with the comments on their lines. Those that say something else stay: which was meant
/// is not known. `name` stands for the file in messages; text that is not YAML is an Error(config).
Shortened without_repeats(std::string text, const std::string& name);

}  // namespace seda::config
