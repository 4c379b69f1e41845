// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seda/config/detail/document.h"
#include "seda/config/schema.h"

namespace seda::config::detail {

/// Bytes of a document to be replaced.
struct Replacement {
  Replacement(size_t from, size_t to, std::string by) : begin(from), end(to), text(std::move(by)) {}

  size_t begin;
  size_t end;
  std::string text;
};

/// Replacements that give the key at `path` its value. Throws Error(config) where a value stands in
/// the place of a section, or a section in that of the value.
std::vector<Replacement> plan_set(const Document& document, std::string_view path,
                                  const Value& value, const Key* key);

/// Replacements that remove the entry at `path`, which must exist.
std::vector<Replacement> plan_remove(const Document& document, std::string_view path);

/// Replacements that remove `entry`, which is one of `mapping`'s.
std::vector<Replacement> plan_remove(const Document& document, const Node& mapping,
                                     const Entry& entry);

/// Replacements that give the entry at `path`, which must exist, another name.
std::vector<Replacement> plan_rename(const Document& document, std::string_view path,
                                     std::string_view name);

/// The text after all replacements, which must not overlap.
std::string apply(std::string_view text, std::vector<Replacement> replacements);

/// The same edits done to the tree: what the edited text must mean.
void set_in_tree(Node& root, std::string_view path, Node value);
void remove_from_tree(Node& root, std::string_view path);
/// Throws Error(config) where there is no entry at `path`, or one of that name beside it. `file`
/// stands for the file in messages.
void rename_in_tree(Node& root, std::string_view path, std::string_view name,
                    const std::string& file);

/// The mapping that holds what lies at `path`, or nullptr.
const Node* parent_of(const Node& root, std::string_view path);

}  // namespace seda::config::detail
