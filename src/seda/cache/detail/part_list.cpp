// SPDX-License-Identifier: Apache-2.0
#include "seda/cache/detail/part_list.h"

#include <algorithm>
#include <ranges>

namespace seda::cache::detail {

PartList::PartList(std::vector<Part> parts) : parts_(std::move(parts)) {
  by_id_.reserve(parts_.size());
  for (const Part& part : parts_)
    by_id_.push_back(part.get());
  std::ranges::sort(by_id_, {}, &PartReader::id);
}

SearchResult::State PartList::search(const Key& key, Found& found) const {
  using State = SearchResult::State;
  for (const Part& part : std::views::reverse(parts_)) {
    const SearchResult result = part->search(key);
    if (result.state == State::found) {
      found = {.part = part.get(), .index = result.index, .entry = result.entry};
      return State::found;
    }
    if (result.state == State::damaged) return State::damaged;  // an older one may be out of date
  }
  return State::absent;
}

bool PartList::is_replaced(size_t position, const Key& key) const {
  return std::any_of(
      parts_.begin() + static_cast<ptrdiff_t>(position) + 1, parts_.end(),
      [&](const Part& part) { return part->search(key).state == SearchResult::State::found; });
}

const PartReader* PartList::find_part(uint64_t id) const {
  const auto found = std::ranges::lower_bound(by_id_, id, {}, &PartReader::id);
  return found != by_id_.end() && (*found)->id() == id ? *found : nullptr;
}

Entry to_entry(const PartReader& part, uint32_t index, const IndexEntry& entry) {
  return {.key = entry.key,
          .address = {.part = part.id(), .index = index},
          .size = entry.size,
          .dims = entry.dims,
          .type = entry.type};
}

}  // namespace seda::cache::detail
