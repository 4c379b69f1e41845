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

/// What an earlier run left in the cache, and why a record of it will not do.
class Previous {
 public:
  /// `cache` may be null: there was none. It must outlive this.
  Previous(const cache::Cache* cache, const Json& text_description);

  /// The table of texts of this description; null where there is none.
  const cache::Table* texts() const noexcept { return texts_; }

  /// The clip of that id, wherever it stood; null where there was none. `position` is where to
  /// look first.
  const ClipRow* find(size_t position, std::string_view id) const;

  /// Why the text of a clip must be read again.
  std::string reason(const ClipRow* before, const cache::Key& text_key) const;

  /// The listing it is compared with; null where there was none.
  const Listing* listing() const noexcept { return listing_ ? &*listing_ : nullptr; }

  /// Whether that listing is of the same texts.
  bool is_current() const noexcept { return current_; }

 private:
  void index(const Listing& listing) const;

  const cache::Table* texts_ = nullptr;
  std::optional<Listing> listing_;
  bool current_ = false;
  std::string all_changed_;  // one reason for every line; empty: line by line
  mutable std::unordered_map<std::string_view, const ClipRow*> by_id_;
};

/// "cleaner numbers 1 -> 2; diacritics keep -> remove".
std::string describe_change(const Json& before, const Json& now);

}  // namespace seda::feed
