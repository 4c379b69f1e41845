// SPDX-License-Identifier: Apache-2.0
#include "seda/base/log_buckets.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace seda {
namespace {

constexpr int kMantissaBits = 52;

/// Smallest magnitude of positive bucket `index`.
double lower_edge(int64_t index, int shift) {
  return std::bit_cast<double>(static_cast<uint64_t>(index) << shift);
}

}  // namespace

// Positive numbers in rising order have rising bits; -1 - index mirrors them below zero.
int64_t LogBuckets::index_of(double value) noexcept {
  const double magnitude = std::abs(value);
  if (magnitude < std::numeric_limits<double>::min()) return 0;
  const auto index =
      static_cast<int64_t>(std::bit_cast<uint64_t>(magnitude) >> (kMantissaBits - kCellBits));
  return value > 0 ? index : -1 - index;
}

LogBuckets::Page& LogBuckets::page(int64_t number) {
  if (latest_ < pages_.size() && pages_[latest_].number == number) return pages_[latest_];
  auto place = std::ranges::lower_bound(pages_, number, {}, &Page::number);
  if (place == pages_.end() || place->number != number)
    place = pages_.insert(place, Page{.number = number});
  latest_ = static_cast<size_t>(place - pages_.begin());
  return *place;
}

std::vector<LogBuckets::Bucket> LogBuckets::buckets() const {
  constexpr int kShift = kMantissaBits - kCellBits;
  std::vector<Bucket> found;
  for (const Page& page : pages_) {
    for (int64_t i = 0; i < kCells; ++i) {
      const uint64_t count = page.counts[i];
      if (count == 0) continue;
      const int64_t index = page.number * kCells + i;
      if (index == 0) {
        found.push_back({0, 0, count});
      } else if (index > 0) {
        found.push_back({lower_edge(index, kShift), lower_edge(index + 1, kShift), count});
      } else {
        found.push_back({-lower_edge(-index, kShift), -lower_edge(-1 - index, kShift), count});
      }
    }
  }
  return found;
}

}  // namespace seda
