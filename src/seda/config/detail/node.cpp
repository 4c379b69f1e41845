// SPDX-License-Identifier: Apache-2.0
#include "seda/config/detail/node.h"

#include <algorithm>
#include <utility>

namespace seda::config::detail {
namespace {

Node::Kind content_kind(const Node& node) {
  const bool empty = node.kind == Node::Kind::mapping && node.entries.empty();
  return empty ? Node::Kind::null : node.kind;
}

bool same_entry(const Entry& a, const Entry& b) {
  return same_content(a.key, b.key) && same_content(a.value, b.value);
}

}  // namespace

const Entry* find_entry(const Node& mapping, std::string_view name) {
  const auto is_named = [&](const Entry& entry) {
    return entry.key.kind == Node::Kind::scalar && entry.key.text == name;
  };
  const auto found = std::ranges::find_if(mapping.entries, is_named);
  return found == mapping.entries.end() ? nullptr : &*found;
}

Entry* find_entry(Node& mapping, std::string_view name) {
  return const_cast<Entry*>(find_entry(std::as_const(mapping), name));
}

const Entry* find_path(const Node& root, std::string_view path) {
  const size_t dot = path.find('.');
  const Entry* entry = find_entry(root, path.substr(0, dot));
  if (entry == nullptr || dot == std::string_view::npos) return entry;
  return find_path(entry->value, path.substr(dot + 1));
}

bool same_content(const Node& a, const Node& b) {
  return content_kind(a) == content_kind(b) && a.text == b.text &&
         std::ranges::equal(a.items, b.items, same_content) &&
         std::ranges::equal(a.entries, b.entries, same_entry);
}

}  // namespace seda::config::detail
