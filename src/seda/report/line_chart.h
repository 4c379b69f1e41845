// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace seda::report {

struct Point {
  double x = 0;
  double y = 0;

  bool operator==(const Point&) const = default;
};

using Curve = std::vector<Point>;

/// A curve and how it is shown.
struct ChartLine {
  std::string name;  ///< In the legend, where there are several lines.
  Curve points;
  bool dots = false;  ///< Few values that stand for themselves.
};

enum class ChartScale {
  fitted,     ///< To the values; logarithmic where all are above 0 and span a factor of 20.
  from_zero,  ///< Up to the largest.
  share,      ///< The same, in percent.
};

/// What is told of a chart beside its lines.
struct ChartOptions {
  std::string title;
  std::string over = "steps";  ///< What x counts: "steps", "seconds".
  ChartScale scale = ChartScale::fitted;
};

/// Lines as an SVG picture that is part of a page.
///
/// Colours come from the page's classes `line-1` to `line-6`. More than 1,000 points of a line are
/// drawn as means of neighbours; what is no number, or beyond 1e100, is left out. Without a point
/// it says that there is nothing to show.
std::string draw_lines(const ChartOptions& options, std::span<const ChartLine> lines);

/// At most `most` points: means of as many neighbours as that takes.
Curve thin_out(const Curve& curve, size_t most);

}  // namespace seda::report
