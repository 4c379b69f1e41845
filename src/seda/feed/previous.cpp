// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/previous.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/cache/description.h"

namespace seda::feed {
namespace {

/// Strings without their quotes, numbers as they are, objects as "below_db 40, margin_s 0.05".
std::string plain(const std::string& value) {
  if (value.starts_with('"')) return value.substr(1, value.size() - 2);
  if (!value.starts_with('{')) return value;
  const Json object = parse_json(value, "a description");
  std::string out;
  for (const auto& [key, inner] : object.items()) {
    if (key == "version") continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key, plain(to_json_text(inner, -1)));
  }
  return out;
}

/// "mel.n_fft" as "mel n_fft", "sound.peak" as "peak".
std::string plain_path(std::string path) {
  constexpr std::string_view kSound = "sound.";
  if (path.starts_with(kSound)) path.erase(0, kSound.size());
  std::ranges::replace(path, '.', ' ');
  return path;
}

/// Consequences of a difference that another one names better.
bool is_consequence(const std::string& path) {
  return path.ends_with("hash") || path.ends_with(".symbols") ||
         path.starts_with("cleaner_order") || path == "mel.sample_rate";
}

/// Of two kinds of record the rest of the description cannot be compared.
bool is_kind(const cache::Difference& change) {
  return change.path == "kind";
}

/// The latest listing of the same description, else the latest of all.
std::optional<Listing> find_listing(const cache::Cache& cache, const Half& half,
                                    const std::string& fingerprint) {
  std::optional<Listing> best;
  for (const cache::Table* table : cache.tables()) {
    if (table->name() != kListingTable) continue;
    auto listing = Listing::read(*table);
    if (!listing || listing->info().*half.fingerprint != fingerprint) continue;
    if (!best || is_later(listing->info(), best->info())) best = std::move(listing);
  }
  return best ? std::move(best) : Listing::latest(cache);
}

/// "cleaner numbers 1 -> 2; diacritics keep -> remove".
std::string describe_change(const Json& before, const Json& now) {
  auto changes = cache::differences(before, now);
  if (std::ranges::any_of(changes, is_kind)) {
    std::erase_if(changes, [](const cache::Difference& change) { return !is_kind(change); });
  }
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

}  // namespace

Previous::Previous(const cache::Cache* cache, const Half& half, const Json& description)
    : half_(half) {
  if (cache != nullptr && !cache->tables().empty()) {
    const Hash128 fingerprint = cache::fingerprint_of(description);
    table_ = cache->find_table(half.table, fingerprint);
    listing_ = find_listing(*cache, half, fingerprint.hex());
    if (listing_) listed_ = find_listed(*cache, half.table, listing_->info().*half.fingerprint);
    current_ = listing_ && listing_->info().*half.fingerprint == fingerprint.hex();
  }
  if (!current_) all_changed_ = why_all(description);
}

std::string Previous::why_all(const Json& description) const {
  if (!listing_)
    return table_ == nullptr ? "no cache" : fmt::format("{}: not finished before", half_.table);
  if ((listing_->info().*half_.fingerprint).empty()) {
    return fmt::format("{}: not prepared before", half_.table);
  }
  return fmt::format("{}: {}", half_.table,
                     listed_ == nullptr ? "another configuration"
                                        : describe_change(listed_->description(), description));
}

const ClipRow* Previous::find(size_t position, std::string_view id) const {
  if (!listing_) return nullptr;
  const auto rows = listing_->rows();
  if (position < rows.size() && listing_->string(rows[position].id) == id) return &rows[position];
  if (by_id_.empty()) index(*listing_);
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

std::optional<cache::Entry> Previous::entry(const ClipRow* before, const cache::Key& key) const {
  if (table_ == nullptr) return std::nullopt;
  if (current_ && before != nullptr && before->*half_.key == key) {
    const auto found = table_->entry((before->*half_.address)());
    if (found && found.value().key == key) return found.value();
  }
  return table_->find(key);
}

void Previous::index(const Listing& listing) const {
  by_id_.reserve(listing.rows().size());
  for (const ClipRow& row : listing.rows())
    by_id_.emplace(listing.string(row.id), &row);
}

std::string Previous::reason(const ClipRow* before, const cache::Key& key) const {
  if (!all_changed_.empty()) return all_changed_;
  if (before == nullptr) return fmt::format("{}: new {}", half_.table, half_.item);
  if (before->*half_.key != key) return fmt::format("{}: {} changed", half_.table, half_.item);
  return fmt::format("{}: record lost", half_.table);
}

}  // namespace seda::feed
