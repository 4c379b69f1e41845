// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace seda::report {

/// Something that lasted; seconds from the picture's left edge.
struct TimelineSpan {
  std::string name;
  double begin_s = 0;
  double end_s = 0;
};

/// A thread, or a stream of a device.
struct TimelineRow {
  std::string name;
  std::vector<TimelineSpan> spans;
};

/// What rows did in `seconds`, as an SVG picture that is part of a page.
///
/// Spans of the same name have the same colour, of the page's classes `line-1` to `line-6` in the
/// order in which names first appear; what is narrower than a fifth of a pixel is joined to its
/// neighbour of the same name. Without a span it says that there is nothing to show.
std::string draw_timeline(const std::string& title, std::span<const TimelineRow> rows,
                          double seconds);

}  // namespace seda::report
