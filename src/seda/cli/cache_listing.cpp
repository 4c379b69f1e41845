// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/cache_listing.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/feed/listing.h"

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
  const auto listing = feed::Listing::latest(cache);
  return {{"clips", listing ? Json(listing->info().clips) : Json()},
          {"hours", listing ? Json(listing->info().hours) : Json()},
          {"mel", newest_description(cache, "audio", "mel")},
          {"tokenizer", newest_description(cache, "text", "tokenizer")}};
}

std::map<cache::Key, std::string> clip_ids(const std::filesystem::path& folder) {
  std::map<cache::Key, std::string> ids;
  try {
    const auto cache = cache::Cache::open(folder);
    const auto listing = cache ? feed::Listing::latest(*cache) : std::nullopt;
    if (!listing) return ids;
    for (const feed::ClipRow& row : listing->rows()) {
      ids.emplace(row.text_key, listing->string(row.id));
      ids.emplace(row.audio_key, listing->string(row.id));
    }
  } catch (const Error& error) {
    log::debug("no names of clips: {}", error.what());
  }
  return ids;
}

}  // namespace seda::cli
