// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/cache_listing.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/feed/listing.h"

namespace seda::cli {
namespace {

/// `key` of a description; null where it has none.
Json value_of(const Json& description, const char* key) {
  return description.is_object() && description.contains(key) ? description[key] : Json();
}

/// Of the newest table called `name`.
Json newest(const cache::Cache& cache, std::string_view name, const char* key) {
  Json found;
  for (const cache::Table* table : cache.tables()) {
    if (table->name() != name) continue;
    if (const Json value = value_of(table->description(), key); !value.is_null()) found = value;
  }
  return found;
}

/// Of the table with that fingerprint.
Json described(const cache::Cache& cache, const std::string& fingerprint, const char* key) {
  for (const cache::Table* table : cache.tables()) {
    if (table->fingerprint().hex() == fingerprint) return value_of(table->description(), key);
  }
  return {};
}

}  // namespace

Json listing_summary(const cache::Cache& cache) {
  const auto listing = feed::Listing::latest(cache);
  if (!listing) {
    return {{"clips", nullptr},
            {"hours", nullptr},
            {"audio", newest(cache, "audio", "kind")},
            {"mel", newest(cache, "audio", "mel")},
            {"tokenizer", newest(cache, "text", "tokenizer")}};
  }
  const feed::ListingInfo& info = listing->info();
  return {{"clips", info.usable},
          {"hours", info.hours},
          {"audio", described(cache, info.audio, "kind")},
          {"mel", parse_json(info.mel, "the mel definition in the listing")},
          {"tokenizer", described(cache, info.text, "tokenizer")}};
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
