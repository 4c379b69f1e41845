// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/previous.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/cache/description.h"

namespace seda::feed {
namespace {

/// Strings without their quotes, numbers as they are.
std::string plain(std::string value) {
  if (value.size() >= 2 && value.front() == '"') return value.substr(1, value.size() - 2);
  return value;
}

std::string plain_path(std::string path) {
  std::ranges::replace(path, '.', ' ');
  std::ranges::replace(path, '_', ' ');
  return path;
}

/// Consequences of a difference that another one names better.
bool is_consequence(const std::string& path) {
  return path.ends_with("hash") || path.ends_with(".symbols") || path.starts_with("cleaner_order");
}

/// The listing of the same description, else the one written last.
std::optional<Listing> find_listing(const cache::Cache& cache, const std::string& fingerprint) {
  for (const cache::Table* table : cache.tables()) {
    if (table->name() != kListingTable) continue;
    if (auto listing = Listing::read(*table); listing && listing->info().text == fingerprint) {
      return listing;
    }
  }
  return Listing::latest(cache);
}

const cache::Table* table_of(const cache::Cache& cache, const std::string& fingerprint) {
  for (const cache::Table* table : cache.tables()) {
    if (table->name() == "text" && table->fingerprint().hex() == fingerprint) return table;
  }
  return nullptr;
}

}  // namespace

std::string describe_change(const Json& before, const Json& now) {
  const auto changes = cache::differences(before, now);
  const bool only_consequences = std::ranges::all_of(
      changes, [](const cache::Difference& change) { return is_consequence(change.path); });
  std::string out;
  for (const cache::Difference& change : changes) {
    if (is_consequence(change.path) && !only_consequences) continue;
    if (!out.empty()) out += "; ";
    out +=
        fmt::format("{} {} -> {}", plain_path(change.path), plain(change.from), plain(change.to));
  }
  return out;
}

Previous::Previous(const cache::Cache* cache, const Json& text_description) {
  if (cache == nullptr || cache->tables().empty()) {
    all_changed_ = "no cache";
    return;
  }
  const Hash128 fingerprint = cache::fingerprint_of(text_description);
  texts_ = cache->find_table("text", fingerprint);
  listing_ = find_listing(*cache, fingerprint.hex());
  if (!listing_) {
    all_changed_ = texts_ == nullptr ? "no cache" : "text: not finished before";
    return;
  }
  current_ = listing_->info().text == fingerprint.hex();
  if (current_) return;
  const cache::Table* before = table_of(*cache, listing_->info().text);
  all_changed_ =
      "text: " + (before == nullptr ? std::string("another configuration")
                                    : describe_change(before->description(), text_description));
}

const ClipRow* Previous::find(size_t position, std::string_view id) const {
  if (!listing_) return nullptr;
  const auto rows = listing_->rows();
  if (position < rows.size() && listing_->string(rows[position].id) == id) return &rows[position];
  if (by_id_.empty()) index(*listing_);
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

void Previous::index(const Listing& listing) const {
  by_id_.reserve(listing.rows().size());
  for (const ClipRow& row : listing.rows())
    by_id_.emplace(listing.string(row.id), &row);
}

std::string Previous::reason(const ClipRow* before, const cache::Key& text_key) const {
  if (!all_changed_.empty()) return all_changed_;
  if (before == nullptr) return "text: new line";
  if (before->text_key != text_key) return "text: line changed";
  return "text: record lost";
}

}  // namespace seda::feed
