// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "seda/base/hash.h"
#include "seda/base/mutex.h"

namespace seda::text {

/// How often a memo knew the answer.
struct MemoCounts {
  uint64_t hits = 0;
  uint64_t misses = 0;

  bool operator==(const MemoCounts&) const = default;
};

/// Remembers the results of a function of a string.
///
/// Thread-safe: 64 shards with a lock each. Holds at most `capacity` results; of a shard that is
/// full, those not asked for since it last was are forgotten. Keys are kept as 128-bit hashes.
template <typename Value>
class Memo {
 public:
  explicit Memo(size_t capacity) : half_(std::max<size_t>(1, capacity / kShards / 2)) {}

  /// The remembered result of `key`, or that of `make()`, which runs without a lock.
  template <typename Make>
  Value get(std::string_view key, Make make) {
    const Hash128 hash = hash128(key);
    Shard& shard = shards_[hash.high % kShards];
    {
      const MutexLock lock(shard.mutex);
      if (const Value* known = shard.find(hash, half_)) {
        ++shard.counts.hits;
        return *known;
      }
      ++shard.counts.misses;
    }
    Value made = make();
    const MutexLock lock(shard.mutex);
    shard.put(hash, made, half_);
    return made;
  }

  MemoCounts counts() const {
    MemoCounts sum;
    for (const Shard& shard : shards_) {
      const MutexLock lock(shard.mutex);
      sum.hits += shard.counts.hits;
      sum.misses += shard.counts.misses;
    }
    return sum;
  }

  size_t size() const {
    size_t sum = 0;
    for (const Shard& shard : shards_) {
      const MutexLock lock(shard.mutex);
      sum += shard.young.size() + shard.old.size();
    }
    return sum;
  }

 private:
  static constexpr size_t kShards = 64;

  struct LowBits {
    size_t operator()(const Hash128& hash) const noexcept { return hash.low; }
  };
  using Map = std::unordered_map<Hash128, Value, LowBits>;

  /// Two generations: what is asked for moves to the young one; when that is full the old one goes.
  struct Shard {
    mutable Mutex mutex;
    Map young SEDA_GUARDED_BY(mutex);
    Map old SEDA_GUARDED_BY(mutex);
    MemoCounts counts SEDA_GUARDED_BY(mutex);

    const Value* find(const Hash128& hash, size_t half) SEDA_REQUIRES(mutex) {
      if (const auto found = young.find(hash); found != young.end()) return &found->second;
      const auto found = old.find(hash);
      if (found == old.end()) return nullptr;
      Value value = std::move(found->second);
      old.erase(found);
      return put(hash, std::move(value), half);
    }

    const Value* put(const Hash128& hash, Value value, size_t half) SEDA_REQUIRES(mutex) {
      if (young.size() >= half) {
        old = std::move(young);
        young.clear();
      }
      return &young.insert_or_assign(hash, std::move(value)).first->second;
    }
  };

  const size_t half_;
  std::array<Shard, kShards> shards_;
};

}  // namespace seda::text
