// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "seda/config/detail/lines.h"
#include "seda/config/detail/node.h"
#include "seda/config/problem.h"

namespace seda::config::detail {

/// A YAML file: its text and the tree of its one document.
struct Document {
  std::string name;
  std::string bom;   ///< Its byte order mark, or empty.
  std::string text;  ///< All the rest; offsets count from here.
  Lines lines;
  std::optional<Node> root;  ///< None: nothing but space and comments.

  Place place(size_t offset) const { return place_of(text, lines, offset, name); }
};

/// Parses YAML. Throws Error(config) with place and cure where `bytes` are not YAML; adds a problem
/// for what is YAML and not configuration: duplicate keys, anchors, aliases, tags, keys that are
/// not words, a second document. Nesting over 32 is an error.
Document parse_document(std::string_view bytes, const std::string& name, ProblemList& problems);

}  // namespace seda::config::detail
