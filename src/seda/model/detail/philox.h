// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Philox4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011): a
/// bijection of counters, keyed. Plain, for both compilers.
namespace seda::model::detail {

struct PhiloxCounter {
  uint32_t words[4];
};

struct PhiloxKey {
  uint32_t words[2];
};

constexpr PhiloxCounter philox_round(PhiloxCounter counter, PhiloxKey key) {
  const uint64_t a = uint64_t{0xD2511F53} * counter.words[0];
  const uint64_t b = uint64_t{0xCD9E8D57} * counter.words[2];
  return {
      {static_cast<uint32_t>(b >> 32) ^ counter.words[1] ^ key.words[0], static_cast<uint32_t>(b),
       static_cast<uint32_t>(a >> 32) ^ counter.words[3] ^ key.words[1], static_cast<uint32_t>(a)}};
}

/// Four words that look random.
constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    counter = philox_round(counter, key);
    key.words[0] += 0x9E3779B9;
    key.words[1] += 0xBB67AE85;
  }
  return counter;
}

}  // namespace seda::model::detail
