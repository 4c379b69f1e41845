// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace seda {

/// One step of splitmix64: moves `state` on and returns a well-mixed word. Turns few bits of seed
/// into many.
constexpr uint64_t splitmix64(uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15;
  uint64_t word = state;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

/// Reproducible random numbers (xoshiro256**): the same seed gives the same numbers on every
/// machine and in every release, unlike the distributions of the standard library. About 1 ns a
/// word.
///
/// A plain value: copy it to fork a sequence, compare to tell where it stands. Not for secrets.
/// Also a standard UniformRandomBitGenerator.
class Random {
 public:
  using result_type = uint64_t;
  using State = std::array<uint64_t, 4>;

  /// `stream` tells apart sequences under one seed, for example the epoch.
  constexpr explicit Random(uint64_t seed, uint64_t stream = 0) noexcept {
    uint64_t mix = stream;
    uint64_t state = seed ^ splitmix64(mix);
    for (uint64_t& word : state_)
      word = splitmix64(state);
  }
  /// Goes on where another stood. Not all four words may be zero.
  constexpr explicit Random(const State& state) noexcept : state_(state) {}

  static constexpr uint64_t min() noexcept { return 0; }
  static constexpr uint64_t max() noexcept { return ~uint64_t{0}; }
  constexpr const State& state() const noexcept { return state_; }

  constexpr uint64_t operator()() noexcept {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// In [0, 1), with all 53 bits.
  constexpr double uniform() noexcept { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// In [low, high).
  constexpr double uniform(double low, double high) noexcept {
    const double value = low + (high - low) * uniform();
    return value < high ? value : low;  // rounding may reach `high`
  }

  /// In [0, n), each equally likely; 0 for n = 0. Draws again for the few words that would favour
  /// small results.
  constexpr uint64_t below(uint64_t n) noexcept {
    if (n == 0) return 0;
    const uint64_t uneven = (0 - n) % n;  // 2^64 mod n
    Wide product = Wide{(*this)()} * n;
    while (static_cast<uint64_t>(product) < uneven)
      product = Wide{(*this)()} * n;
    return static_cast<uint64_t>(product >> 64);
  }

  /// Puts `items` into an order drawn evenly from all orders.
  template <typename T>
  constexpr void shuffle(std::span<T> items) noexcept {
    for (size_t left = items.size(); left > 1; --left)
      std::swap(items[left - 1], items[below(left)]);
  }

  constexpr bool operator==(const Random&) const = default;

 private:
  __extension__ using Wide = unsigned __int128;

  State state_{};
};

}  // namespace seda
