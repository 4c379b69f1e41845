// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "seda/device/detail/mark.h"

namespace seda::device::detail {

/// A piece of upstream memory that blocks are cut from.
struct Chunk {
  std::byte* begin = nullptr;
  size_t bytes = 0;
  StreamView stream;  ///< Where it was taken.
};

struct Block {
  size_t bytes = 0;
  const std::byte* chunk = nullptr;  ///< Start of the chunk it is in: neighbours join only within.
  bool free = true;
  Marks marks;  ///< Of a free block: what must run before it is used again.
};

/// Bookkeeping of a pool: which addresses are free, cut at need, joined again when neighbours are
/// free. Touches no memory and no device. Not thread-safe.
class BlockMap {
 public:
  using Blocks = std::map<std::byte*, Block>;

  void add(const Chunk& chunk, Marks marks);

  /// The smallest free block of at least `bytes` that `ready` accepts, or else the smallest at all;
  /// nullptr where none is large enough. `ready` may drop marks that have passed.
  Blocks::value_type* find(size_t bytes, const std::function<bool(Marks&)>& ready);

  /// Takes the first `bytes` of a free block; the rest stays free under the same marks.
  Marks take(Blocks::value_type& block, size_t bytes);

  /// Frees a taken block. False where `data` is none.
  bool release(void* data, const Marks& marks);

  /// A chunk without a taken block leaves the map, with the marks of its memory.
  std::vector<std::pair<Chunk, Marks>> remove_free_chunks();

  size_t used_bytes() const noexcept { return used_bytes_; }
  size_t reserved_bytes() const noexcept { return reserved_bytes_; }
  size_t chunks() const noexcept { return chunks_.size(); }
  size_t largest_free_bytes() const noexcept { return free_.empty() ? 0 : free_.rbegin()->first; }

 private:
  Blocks::iterator join(Blocks::iterator left, Blocks::iterator right);
  bool joinable(Blocks::const_iterator left, Blocks::const_iterator right) const;

  Blocks blocks_;
  std::set<std::pair<size_t, std::byte*>> free_;
  std::map<const std::byte*, Chunk> chunks_;
  size_t used_bytes_ = 0;
  size_t reserved_bytes_ = 0;
};

}  // namespace seda::device::detail
