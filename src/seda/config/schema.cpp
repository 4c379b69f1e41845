// SPDX-License-Identifier: Apache-2.0
#include "seda/config/schema.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "seda/config/detail/schema_parts.h"

namespace seda::config {

std::vector<Key> detail::join(std::initializer_list<std::vector<Key> (*)()> parts) {
  std::vector<Key> all;
  for (const auto part : parts)
    std::ranges::move(part(), std::back_inserter(all));
  return all;
}

namespace {

std::map<std::string, const Key*, std::less<>> index_by_name() {
  std::map<std::string, const Key*, std::less<>> index;
  for (const Key& key : keys()) {
    index.emplace(key.path, &key);
    for (const std::string& alias : key.aliases)
      index.emplace(alias, &key);
  }
  return index;
}

std::vector<std::string> collect_sections() {
  std::vector<std::string> found;
  for (const Key& key : keys()) {
    if (std::ranges::find(found, key.section()) == found.end()) found.emplace_back(key.section());
  }
  return found;
}

}  // namespace

std::string_view Key::section() const {
  return std::string_view(path).substr(0, path.rfind('.'));
}

std::string_view Key::name() const {
  return std::string_view(path).substr(path.rfind('.') + 1);
}

std::span<const Key> keys() {
  static const std::vector<Key> all =
      detail::join({detail::data_keys, detail::feature_keys, detail::model_keys,
                    detail::training_keys, detail::debug_keys});
  return all;
}

const Key* find_key(std::string_view path_or_alias) {
  static const auto index = index_by_name();
  const auto found = index.find(path_or_alias);
  return found == index.end() ? nullptr : found->second;
}

std::span<const std::string> sections() {
  static const std::vector<std::string> all = collect_sections();
  return all;
}

const Flag* find_flag(std::string_view name) {
  const auto all = flags();
  const auto found = std::ranges::find(all, name, &Flag::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace seda::config
