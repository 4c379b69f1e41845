// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/edit.h"

#include <algorithm>
#include <functional>

namespace seda::config::detail {

std::string apply(std::string_view text, std::vector<Replacement> replacements) {
  std::ranges::sort(replacements, std::greater(), &Replacement::begin);
  std::string out(text);
  for (const Replacement& part : replacements)
    out.replace(part.begin, part.end - part.begin, part.text);
  return out;
}

void set_in_tree(Node& root, std::string_view path, Node value) {
  root.kind = Node::Kind::mapping;
  const size_t dot = path.find('.');
  Entry* entry = find_entry(root, path.substr(0, dot));
  if (entry == nullptr) {
    Node name;
    name.kind = Node::Kind::scalar;
    name.text = path.substr(0, dot);
    entry = &root.entries.emplace_back(Entry{.key = std::move(name), .value = {}});
  }
  if (dot == std::string_view::npos) {
    entry->value = std::move(value);
  } else {
    set_in_tree(entry->value, path.substr(dot + 1), std::move(value));
  }
}

void remove_from_tree(Node& root, std::string_view path) {
  const size_t dot = path.find('.');
  Entry* entry = find_entry(root, path.substr(0, dot));
  if (entry == nullptr) return;
  if (dot != std::string_view::npos) return remove_from_tree(entry->value, path.substr(dot + 1));
  root.entries.erase(root.entries.begin() + (entry - root.entries.data()));
}

}  // namespace seda::config::detail
