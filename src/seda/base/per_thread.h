// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "seda/base/mutex.h"

namespace seda {

/// What `PerThread` shares between its owners, whatever their type.
namespace per_thread_detail {

/// One value and whether a thread uses it.
struct Slot {
  virtual ~Slot() = default;
  std::atomic<bool> taken{true};
};

/// Where the calling thread found the value of an owner. Owners' numbers are never used again, so
/// an entry of one that is gone is never met.
struct CacheEntry {
  uint64_t owner = 0;
  void* value = nullptr;
};
constexpr size_t kCacheEntries = 64;
extern thread_local constinit std::array<CacheEntry, kCacheEntries> cache;

/// A number given once in the process, even by several copies of this library, and never 0.
uint64_t new_owner();

/// The calling thread's slot of `owner`, or null.
std::shared_ptr<Slot> remembered(uint64_t owner);

/// Keeps the slot for the calling thread; when that ends, the slot is free for another.
void remember(uint64_t owner, const std::shared_ptr<Slot>& slot);

}  // namespace per_thread_detail

/// A `T` for each thread that asks: found in about 2 ns, without a lock.
///
/// Values live as long as this object. That of a thread that has ended keeps its content and is
/// handed to the next new thread, so there are never more than threads at a time; where `T` has an
/// `adopt()`, every thread calls it once, before its first use. Threads may outlive this object.
/// `T` must be safe for one thread writing while `for_each` reads.
template <typename T>
class PerThread {
 public:
  PerThread() = default;
  PerThread(const PerThread&) = delete;
  PerThread& operator=(const PerThread&) = delete;

  /// The calling thread's own. A thread's first call takes a lock and may allocate.
  T& local() {
    const auto& entry = per_thread_detail::cache[owner_ % per_thread_detail::kCacheEntries];
    if (entry.owner == owner_) return *static_cast<T*>(entry.value);
    return find_or_take();
  }

  /// `visit(const T&)` for every value; new threads wait until it returns.
  template <typename Visit>
  void for_each(Visit visit) const {
    const MutexLock lock(mutex_);
    for (const auto& slot : slots_)
      visit(std::as_const(slot->value));
  }

 private:
  struct alignas(64) Slot : per_thread_detail::Slot {  // no cache line with another's
    T value;
  };

  T& find_or_take() {
    auto slot = std::static_pointer_cast<Slot>(per_thread_detail::remembered(owner_));
    if (slot == nullptr) {
      slot = take();
      if constexpr (requires { slot->value.adopt(); }) slot->value.adopt();
      per_thread_detail::remember(owner_, slot);
    }
    per_thread_detail::cache[owner_ % per_thread_detail::kCacheEntries] = {owner_, &slot->value};
    return slot->value;
  }

  std::shared_ptr<Slot> take() {
    const MutexLock lock(mutex_);
    for (const auto& slot : slots_) {
      if (!slot->taken.exchange(true, std::memory_order_acquire)) return slot;
    }
    return slots_.emplace_back(std::make_shared<Slot>());
  }

  const uint64_t owner_ = per_thread_detail::new_owner();
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<Slot>> slots_ SEDA_GUARDED_BY(mutex_);
};

}  // namespace seda
