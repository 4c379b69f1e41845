// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/cache_listing.h"

#include <string_view>

#include <nlohmann/json.hpp>

namespace seda::cli {
namespace {

/// `key` of the description of the newest table called `name`; null where there is none.
Json newest_description(const cache::Cache& cache, std::string_view name, const char* key) {
  Json found;
  for (const cache::Table* table : cache.tables()) {
    const Json& description = table->description();
    if (table->name() == name && description.is_object() && description.contains(key))
      found = description[key];
  }
  return found;
}

}  // namespace

Json listing_summary(const cache::Cache& cache) {
  return {{"clips", nullptr},
          {"hours", nullptr},
          {"mel", newest_description(cache, "audio", "mel")},
          {"tokenizer", newest_description(cache, "text", "tokenizer")}};
}

cache::Keep garbage_rule() {
  return {};
}

}  // namespace seda::cli
