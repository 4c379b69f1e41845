// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/feed/loader.h"

namespace seda::cli {

/// What each stage of a loader did with its time, a bar a line, at most 80 columns:
///
///     read      [#####<<<<<<<<.............>>]   18 %   61.0 MiB  2.1 of 4 ready
///
/// `#` busy, `<` waiting for work, `>` waiting for room; the rest was another stage's.
std::string stage_bars(const feed::LoaderStatistics& statistics);

}  // namespace seda::cli
