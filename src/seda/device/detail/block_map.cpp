// SPDX-License-Identifier: Apache-2.0
#include "seda/device/detail/block_map.h"

#include <iterator>

namespace seda::device::detail {

void BlockMap::add(const Chunk& chunk, Marks marks) {
  chunks_.emplace(chunk.begin, chunk);
  blocks_.emplace(
      chunk.begin,
      Block{.bytes = chunk.bytes, .chunk = chunk.begin, .free = true, .marks = std::move(marks)});
  free_.emplace(chunk.bytes, chunk.begin);
  reserved_bytes_ += chunk.bytes;
}

BlockMap::Blocks::value_type* BlockMap::find(size_t bytes,
                                             const std::function<bool(Marks&)>& ready) {
  Blocks::value_type* smallest = nullptr;
  for (auto entry = free_.lower_bound({bytes, nullptr}); entry != free_.end(); ++entry) {
    auto& block = *blocks_.find(entry->second);
    if (ready(block.second.marks)) return &block;
    if (smallest == nullptr) smallest = &block;
  }
  return smallest;
}

Marks BlockMap::take(Blocks::value_type& block, size_t bytes) {
  auto& [begin, head] = block;
  free_.erase({head.bytes, begin});
  if (head.bytes > bytes) {
    Block rest = head;
    rest.bytes -= bytes;
    head.bytes = bytes;
    free_.emplace(rest.bytes, begin + bytes);
    blocks_.emplace(begin + bytes, std::move(rest));
  }
  head.free = false;
  used_bytes_ += bytes;
  return std::exchange(head.marks, {});
}

bool BlockMap::release(void* data, const Marks& marks) {
  auto block = blocks_.find(static_cast<std::byte*>(data));
  if (block == blocks_.end() || block->second.free) return false;
  used_bytes_ -= block->second.bytes;
  block->second.free = true;
  block->second.marks = marks;
  const auto next = std::next(block);
  if (joinable(block, next)) {
    free_.erase({next->second.bytes, next->first});
    block = join(block, next);
  }
  if (block != blocks_.begin() && joinable(std::prev(block), block)) {
    const auto previous = std::prev(block);
    free_.erase({previous->second.bytes, previous->first});
    block = join(previous, block);
  }
  free_.emplace(block->second.bytes, block->first);
  return true;
}

std::vector<std::pair<Chunk, Marks>> BlockMap::remove_free_chunks() {
  std::vector<std::pair<Chunk, Marks>> removed;
  for (auto chunk = chunks_.begin(); chunk != chunks_.end();) {
    const auto block = blocks_.find(chunk->second.begin);
    const bool whole = block->second.free && block->second.bytes == chunk->second.bytes;
    if (!whole) {
      ++chunk;
      continue;
    }
    free_.erase({block->second.bytes, block->first});
    reserved_bytes_ -= chunk->second.bytes;
    removed.emplace_back(chunk->second, std::move(block->second.marks));
    blocks_.erase(block);
    chunk = chunks_.erase(chunk);
  }
  return removed;
}

bool BlockMap::joinable(Blocks::const_iterator left, Blocks::const_iterator right) const {
  return right != blocks_.end() && left->second.free && right->second.free &&
         left->second.chunk == right->second.chunk;
}

BlockMap::Blocks::iterator BlockMap::join(Blocks::iterator left, Blocks::iterator right) {
  left->second.bytes += right->second.bytes;
  merge(left->second.marks, right->second.marks);
  blocks_.erase(right);
  return left;
}

}  // namespace seda::device::detail
