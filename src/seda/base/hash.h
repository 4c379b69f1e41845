// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace seda {

/// A hash wide enough to stand for its content.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const Hash128&) const = default;

  /// 32 hexadecimal digits, `high` first.
  std::string hex() const;
};

/// XXH3 of the bytes: the same on every machine and in every release. Not for secrets.
uint64_t hash64(std::string_view bytes, uint64_t seed = 0);
uint64_t hash64(std::span<const std::byte> bytes, uint64_t seed = 0);
Hash128 hash128(std::string_view bytes);
Hash128 hash128(std::span<const std::byte> bytes);

/// Hashes what comes in pieces: `hash128` of the pieces joined.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void add(std::string_view bytes);
  Hash128 digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seda
