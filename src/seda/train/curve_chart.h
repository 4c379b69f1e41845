// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "seda/train/run_history.h"

namespace seda::train {

/// A curve and how it is shown.
struct ChartLine {
  std::string name;  ///< In the legend, where there are several lines.
  Curve points;
  bool dots = false;  ///< Few values that stand for themselves.
};

/// Lines over steps as an SVG picture that is part of a page.
///
/// Colours come from the page's classes `line-1`, `line-2`. Values above 0 that span more than a
/// factor of 20 get a logarithmic axis, `percent` one from 0. More than 1,000 points of a line are
/// drawn as means of neighbours. Without a point it says that there is nothing to show.
std::string draw_chart(const std::string& title, std::span<const ChartLine> lines,
                       bool percent = false);

/// At most `most` points: means of as many neighbours as that takes.
Curve thin_out(const Curve& curve, size_t most);

}  // namespace seda::train
