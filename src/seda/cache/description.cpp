// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/description.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace seda::cache {
namespace {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

void compare(const std::string& path, const Json& from, const Json& to,
             std::vector<Difference>& out) {
  if (!from.is_object() || !to.is_object()) {
    if (from != to) out.push_back({path, to_json_text(from, -1), to_json_text(to, -1)});
    return;
  }
  for (const auto& [key, value] : from.items()) {
    const auto other = to.find(key);
    if (other != to.end()) {
      compare(joined(path, key), value, *other, out);
    } else {
      out.push_back({joined(path, key), to_json_text(value, -1), "nothing"});
    }
  }
  for (const auto& [key, value] : to.items()) {
    if (!from.contains(key)) {
      out.push_back({joined(path, key), "nothing", to_json_text(value, -1)});
    }
  }
}

}  // namespace

Hash128 fingerprint_of(const Json& description) {
  const nlohmann::json sorted = description;
  return hash128(sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string Difference::text() const {
  return fmt::format("{}: {} -> {}", path, from, to);
}

std::vector<Difference> differences(const Json& from, const Json& to) {
  std::vector<Difference> out;
  compare("", from, to, out);
  return out;
}

}  // namespace seda::cache
