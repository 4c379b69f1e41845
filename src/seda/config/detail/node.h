// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seda::config::detail {

struct Entry;

/// A value of a YAML document and where it begins.
struct Node {
  enum class Kind { null, scalar, sequence, mapping };
  /// How it is written. A null may be written as nothing at all (`implicit`).
  enum class Style { implicit, plain, single_quoted, double_quoted, block_scalar, block, flow };

  Kind kind = Kind::null;
  Style style = Style::implicit;
  size_t begin = 0;            ///< Offset of its first byte; of no meaning for an implicit null.
  std::string text;            ///< Of a scalar, with quotes and escapes resolved.
  std::vector<Node> items;     ///< Of a sequence.
  std::vector<Entry> entries;  ///< Of a mapping.

  bool quoted() const {
    return style == Style::single_quoted || style == Style::double_quoted ||
           style == Style::block_scalar;
  }
};

/// A key and its value in a mapping.
struct Entry {
  Node key;
  Node value;
};

/// The entry of that name, or nullptr.
const Entry* find_entry(const Node& mapping, std::string_view name);
Entry* find_entry(Node& mapping, std::string_view name);

/// The entry at a dotted path, or nullptr.
const Entry* find_path(const Node& root, std::string_view path);

/// Whether two values mean the same, however they are written. Null equals the empty mapping.
bool same_content(const Node& a, const Node& b);

}  // namespace seda::config::detail
