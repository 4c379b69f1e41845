// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/diagnose/watch/watch_record.h"

namespace seda::diagnose {

/// Where a view is drawn.
struct ViewOptions {
  int width = 80;  ///< Columns; down to 20 all lines fit.
  int height = 24;
  bool color = false;
  bool unicode = true;  ///< Blocks of different height in sparklines; else ASCII.
};

/// The last minute or so of a watch: a bar, a figure and a sparkline each for every GPU, the
/// processes, memory and storage, and `so_far`, the verdict, below. Each line is at most `width`
/// columns wide, and there are at most `height` of them: GPUs that find no room are counted.
std::vector<std::string> draw_watch(const WatchRecord& record, std::string_view so_far,
                                    const ViewOptions& options);

/// The newest figures in one line, for logs: "GPU 0 38 %, CPU 1.9 cores, …".
std::string status_line(const WatchRecord& record);

/// `values`, 0 to `top`, as one character each; unknown is a space.
std::string sparkline(std::span<const double> values, double top, bool unicode);

}  // namespace seda::diagnose
