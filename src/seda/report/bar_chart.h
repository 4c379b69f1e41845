// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace seda::report {

/// One bar of several parts, one behind the other.
struct StackedBar {
  std::string name;
  std::vector<double> shares;  ///< 0–1, of each part; what is left of 1 stays empty.
  std::string note;            ///< Beside it: "44.2 MiB, 2.1 of 7 ready".
};

/// What is told of the bars.
struct BarChartOptions {
  std::string title;
  std::vector<std::string> parts;  ///< Their names, for the legend and the tooltips.
};

/// Bars one below the other as an SVG picture that is part of a page.
///
/// Parts have the colours of the page's classes `line-1` to `line-6`; each says its share when it
/// is pointed at. Without a bar it says that there is nothing to show.
std::string draw_bars(const BarChartOptions& options, std::span<const StackedBar> bars);

}  // namespace seda::report
