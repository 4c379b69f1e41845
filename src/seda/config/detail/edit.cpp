// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/edit.h"

#include <algorithm>
#include <functional>

#include "seda/base/error.h"
#include "seda/config/detail/extent.h"
#include "seda/config/detail/render.h"

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

const Node* parent_of(const Node& root, std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return &root;
  const Entry* section = find_path(root, path.substr(0, dot));
  return section == nullptr ? nullptr : &section->value;
}

std::vector<Replacement> plan_rename(const Document& document, std::string_view path,
                                     std::string_view name) {
  if (!document.root) return {};
  const bool flow = parent_of(*document.root, path)->style == Node::Style::flow;
  const Node& key = find_path(*document.root, path)->key;
  return {{key.begin, end_of_key(document.text, key, flow), render_text(name, key.style)}};
}

void rename_in_tree(Node& root, std::string_view path, std::string_view name,
                    const std::string& file) {
  const size_t dot = path.find('.');
  Entry* entry = find_entry(root, path.substr(0, dot));
  if (entry == nullptr) throw_error(ErrorKind::config, "{}: there is no {} to rename", file, path);
  if (dot != std::string_view::npos)
    return rename_in_tree(entry->value, path.substr(dot + 1), name, file);
  if (find_entry(root, name) != nullptr)
    throw_error(ErrorKind::config, "{}: cannot rename {}: {} is there already", file, path, name);
  entry->key.text = name;
}

}  // namespace seda::config::detail
