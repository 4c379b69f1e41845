// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/live_records.h"

#include <memory>
#include <unordered_set>

#include "seda/feed/listing.h"

namespace seda::feed {
namespace {

struct LowBits {
  size_t operator()(const cache::Key& key) const noexcept { return key.low; }
};

/// What the latest listing names.
struct Live {
  ListingInfo info;
  Hash128 listing;  // fingerprint of its table
  std::unordered_set<cache::Key, LowBits> keys;
};

std::shared_ptr<const Live> find_live(const cache::Cache& cache) {
  const auto listing = Listing::latest(cache);
  if (!listing) return nullptr;
  auto live = std::make_shared<Live>();
  live->info = listing->info();
  live->listing = listing->fingerprint();
  for (const ClipRow& row : listing->rows()) {
    live->keys.insert(row.text_key);
    live->keys.insert(row.audio_key);
  }
  return live;
}

bool keeps_table(const Live& live, const std::string& name, const Hash128& fingerprint) {
  if (name == kListingTable) return fingerprint == live.listing;
  const std::string hex = fingerprint.hex();
  return hex == live.info.text || hex == live.info.audio || hex == live.info.vocabulary;
}

bool keeps_record(const Live& live, const std::string& name, const cache::Key& key) {
  return (name != "text" && name != "audio") || live.keys.contains(key);
}

}  // namespace

cache::Keep keep_latest(const cache::Cache& cache) {
  const auto live = find_live(cache);
  if (live == nullptr) return {};
  return {.table = [live](const std::string& name, const Hash128& fingerprint,
                          const Json&) { return keeps_table(*live, name, fingerprint); },
          .record = [live](const std::string& name, const Hash128&,
                           const cache::Key& key) { return keeps_record(*live, name, key); }};
}

}  // namespace seda::feed
