// SPDX-License-Identifier: Apache-2.0
#include "seda/config/suggest.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "seda/base/nearest.h"
#include "seda/config/schema.h"

namespace seda::config {
namespace {

constexpr size_t kLongestName = 80;  // the search takes time by length

std::string_view leaf_of(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

std::string_view section_of(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? "" : path.substr(0, dot);
}

/// Every path, section and old path, parallel to `leaves`.
struct Names {
  std::vector<std::string> paths;
  std::vector<std::string> leaves;

  void add(std::string_view path) {
    paths.emplace_back(path);
    leaves.emplace_back(leaf_of(path));
  }
};

const Names& all_names() {
  static const Names names = [] {
    Names all;
    for (const Key& key : keys())
      all.add(key.path);
    for (const std::string& section : sections())
      all.add(section);
    for (const Key& key : keys()) {
      for (const std::string& alias : key.aliases)
        all.add(alias);
    }
    return all;
  }();
  return names;
}

std::optional<std::string> path_of_leaf(std::string_view leaf) {
  const Names& names = all_names();
  for (size_t i = 0; i < names.paths.size(); ++i) {
    if (names.leaves[i] == leaf) return names.paths[i];
  }
  return {};
}

std::optional<std::string> nearest_sibling(std::string_view path) {
  std::vector<std::string> leaves;
  for (const std::string& known : all_names().paths) {
    if (section_of(known) == section_of(path)) leaves.emplace_back(leaf_of(known));
  }
  const auto near = nearest_name(leaf_of(path), leaves);
  if (!near) return {};
  return section_of(path).empty() ? *near : fmt::format("{}.{}", section_of(path), *near);
}

/// Names that may stand beside `path`, of keys and old keys or of sections.
std::vector<std::string> names_beside(std::string_view path, bool of_sections) {
  std::vector<std::string> leaves;
  const auto add = [&](std::string_view known) {
    if (section_of(known) == section_of(path)) leaves.emplace_back(leaf_of(known));
  };
  if (of_sections) {
    std::ranges::for_each(sections(), add);
    return leaves;
  }
  for (const Key& key : keys()) {
    add(key.path);
    std::ranges::for_each(key.aliases, add);
  }
  return leaves;
}

std::optional<std::string> nearest_anywhere(std::string_view path) {
  if (const auto near = nearest_name(leaf_of(path), all_names().leaves)) return path_of_leaf(*near);
  return nearest_name(path, all_names().paths);
}

}  // namespace

std::string suggestion(std::string_view unknown_path) {
  constexpr std::string_view kList = "`seda config keys` lists all";
  if (unknown_path.size() > kLongestName) return std::string(kList);
  const std::string_view leaf = leaf_of(unknown_path);
  if (leaf == "<<") return "merge keys are not understood; write the keys themselves";
  if (leaf.find(':') != std::string_view::npos)
    return "a colon needs a space behind it: name: value";
  std::optional<std::string> found = path_of_leaf(leaf);
  if (!found) found = nearest_sibling(unknown_path);
  if (!found) found = nearest_anywhere(unknown_path);
  return found ? fmt::format("did you mean {}?", *found) : std::string(kList);
}

std::optional<std::string> meant_name(std::string_view unknown_path, bool is_section) {
  if (unknown_path.size() > kLongestName) return {};
  const std::string_view leaf = leaf_of(unknown_path);
  std::vector<std::string> names = names_beside(unknown_path, is_section);
  auto first = nearest_name(leaf, names);
  if (!first) return {};
  std::erase(names, *first);
  const auto second = nearest_name(leaf, names);
  const bool tied = second && edit_distance(leaf, *second) <= edit_distance(leaf, *first);
  return tied ? std::nullopt : first;
}

}  // namespace seda::config
