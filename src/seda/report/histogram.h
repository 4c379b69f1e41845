// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace seda::report {

/// Values from `low` on, below `high`.
struct Bin {
  double low = 0;
  double high = 0;
  size_t count = 0;

  bool operator==(const Bin&) const = default;
};

/// At most `most` bins of the same, round width that hold all values; those above the 99th
/// percentile by far are in a last bin that is as wide as it takes.
std::vector<Bin> bin_values(std::span<const double> values, size_t most);

/// What is told of the values.
struct HistogramOptions {
  std::string title;
  std::string unit;  ///< "ms"
  std::string note;  ///< Below the caption: "a rhythm of 0.4 s".
};

/// How often which values occur, as an SVG picture that is part of a page; the median is marked.
/// Without a value it says that there is nothing to show.
std::string draw_histogram(const HistogramOptions& options, std::span<const double> values);

}  // namespace seda::report
