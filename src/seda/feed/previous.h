// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "seda/base/json.h"
#include "seda/cache/cache.h"
#include "seda/feed/listing.h"

namespace seda::feed {

/// One half of a clip: what its table and its item are called, where a listing keeps it.
struct Half {
  std::string_view table;
  std::string_view item;
  std::string ListingInfo::* fingerprint;
  cache::Key ClipRow::* key;
  cache::Address (ClipRow::*address)() const;
};

constexpr Half kText = {"text", "line", &ListingInfo::text, &ClipRow::text_key, &ClipRow::text};
constexpr Half kAudio = {"audio", "file", &ListingInfo::audio, &ClipRow::audio_key,
                         &ClipRow::audio};

/// What an earlier run left in the cache of one half of the clips, and why a record of it will not
/// do. The halves are compared apart: each with the listing that suits it best.
class Previous {
 public:
  /// `cache` may be null: there was none. It must outlive this.
  Previous(const cache::Cache* cache, const Half& half, const Json& description);

  /// The table of this description; null where there is none.
  const cache::Table* table() const noexcept { return table_; }

  /// The clip of that id, wherever it stood; null where there was none. `position` is where to
  /// look first.
  const ClipRow* find(size_t position, std::string_view id) const;

  /// The entry of the record under `key`, if any. Found without a search where the clip's row of
  /// the listing, `before`, which may be null, names it.
  std::optional<cache::Entry> entry(const ClipRow* before, const cache::Key& key) const;

  /// Why a record must be made: "text: line changed", "audio: new file", …
  std::string reason(const ClipRow* before, const cache::Key& key) const;

  /// The listing it is compared with; null where there was none.
  const Listing* listing() const noexcept { return listing_ ? &*listing_ : nullptr; }

  /// What the records of that listing were made with; null where it is not known.
  const Json* listed_description() const noexcept {
    return listed_ != nullptr ? &listed_->description() : nullptr;
  }

  /// Whether that listing is of the same description.
  bool is_current() const noexcept { return current_; }

 private:
  void index(const Listing& listing) const;
  std::string why_all(const Json& description) const;

  Half half_;
  const cache::Table* table_ = nullptr;
  const cache::Table* listed_ = nullptr;  // of the listing
  std::optional<Listing> listing_;
  bool current_ = false;
  std::string all_changed_;  // one reason for every clip; empty: clip by clip
  mutable std::unordered_map<std::string_view, const ClipRow*> by_id_;
};

}  // namespace seda::feed
