// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "seda/cache/detail/part_reader.h"

namespace seda::cache::detail {

/// The parts of one table, from the oldest to the newest: a key's newest record is the one that
/// counts. Immutable, so any number of threads may read.
class PartList {
 public:
  using Part = std::shared_ptr<const PartReader>;

  /// An entry and the part it is in.
  struct Found {
    const PartReader* part = nullptr;
    uint32_t index = 0;
    IndexEntry entry;

    Address address() const { return {.part = part->id(), .index = index}; }
  };

  PartList() = default;
  explicit PartList(std::vector<Part> parts);

  const std::vector<Part>& parts() const { return parts_; }

  /// The newest; `damaged` where a part that may have it cannot say.
  SearchResult::State search(const Key& key, Found& found) const;
  /// Whether a part after the one at `position` has the key.
  bool is_replaced(size_t position, const Key& key) const;
  /// nullptr where there is no part of that number.
  const PartReader* find_part(uint64_t id) const;

 private:
  std::vector<Part> parts_;
  std::vector<const PartReader*> by_id_;
};

Entry to_entry(const PartReader& part, uint32_t index, const IndexEntry& entry);

}  // namespace seda::cache::detail
