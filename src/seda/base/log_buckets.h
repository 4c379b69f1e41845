// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seda {

/// Counts of finite numbers in buckets whose width grows with the number: 256 to each power of two
/// on either side of zero, so that any two numbers of a bucket are within 0.4 % of each other.
/// Magnitudes under 2.3e-308 share a bucket of their own, zero.
///
/// The bucket is the leading bits of the number itself, so adding costs a shift and no logarithm.
/// Memory: 2 KiB for each power of two that occurs. A plain value, for one thread.
class LogBuckets {
 public:
  struct Bucket {
    double low = 0;  ///< All its numbers lie between `low` and `high`.
    double high = 0;
    uint64_t count = 0;
  };

  void add(double value) { ++cell(index_of(value)); }
  bool empty() const noexcept { return pages_.empty(); }

  /// Buckets that hold something, in rising order.
  std::vector<Bucket> buckets() const;

 private:
  static constexpr int kCellBits = 8;
  static constexpr int64_t kCells = int64_t{1} << kCellBits;

  /// One power of two on one side of zero.
  struct Page {
    int64_t number = 0;
    std::array<uint64_t, kCells> counts{};
  };

  static int64_t index_of(double value) noexcept;
  uint64_t& cell(int64_t index) { return page(index >> kCellBits).counts[index & (kCells - 1)]; }
  Page& page(int64_t number);

  std::vector<Page> pages_;  // by rising number
  size_t latest_ = 0;        // samples tend to follow their like
};

}  // namespace seda
