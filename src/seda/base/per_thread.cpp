// SPDX-License-Identifier: Apache-2.0
#include "seda/base/per_thread.h"

#include <unordered_map>

#include "seda/base/clock.h"
#include "seda/base/random.h"

namespace seda::per_thread_detail {

thread_local constinit std::array<CacheEntry, kCacheEntries> cache{};

namespace {

thread_local constinit bool memory_is_gone = false;

/// The slots of one thread, given free when it ends.
struct ThreadMemory {
  ThreadMemory() = default;
  ThreadMemory(const ThreadMemory&) = delete;
  ThreadMemory& operator=(const ThreadMemory&) = delete;
  ~ThreadMemory() {
    for (const auto& [owner, slot] : slots) {
      if (const auto alive = slot.lock()) alive->taken.store(false, std::memory_order_release);
    }
    cache = {};
    memory_is_gone = true;
  }

  std::unordered_map<uint64_t, std::weak_ptr<Slot>> slots;
};

ThreadMemory& memory() {
  thread_local ThreadMemory memory_of_thread;
  return memory_of_thread;
}

/// Copies of this library in one process each have a counter: they start far apart.
uint64_t first_owner(const void* counter) {
  uint64_t state = reinterpret_cast<uintptr_t>(counter) ^ static_cast<uint64_t>(now_ns());
  return splitmix64(state);
}

}  // namespace

uint64_t new_owner() {
  static std::atomic<uint64_t> next{first_owner(&next)};
  const uint64_t owner = next.fetch_add(1, std::memory_order_relaxed);
  return owner != 0 ? owner : new_owner();
}

// A destructor of another thread-local object may still come here when this thread's memory is
// gone: it then takes a slot that stays taken.
std::shared_ptr<Slot> remembered(uint64_t owner) {
  if (memory_is_gone) return nullptr;
  const auto found = memory().slots.find(owner);
  return found == memory().slots.end() ? nullptr : found->second.lock();
}

void remember(uint64_t owner, const std::shared_ptr<Slot>& slot) {
  if (memory_is_gone) return;
  auto& slots = memory().slots;
  std::erase_if(slots, [](const auto& entry) { return entry.second.expired(); });
  slots.emplace(owner, slot);
}

}  // namespace seda::per_thread_detail
