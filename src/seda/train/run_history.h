// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "seda/report/line_chart.h"

namespace seda::train {

/// Over steps.
using report::Curve;

struct LossCurves {
  Curve total;
  Curve prior;
  Curve duration;
  Curve flow;
};

/// How a run and those it goes on from went, point by point.
struct RunHistory {
  LossCurves training;
  LossCurves validation;
  Curve lr;
  Curve steps_per_second;
  Curve stall;  ///< Share of the time; as of the speed, only where it was measured.
};

/// Reads `log.jsonl`; no such file is an empty history. A line that is not whole, as a killed
/// writer leaves it, is passed over, and so is a value that is not a number.
RunHistory read_history(const std::filesystem::path& log);

}  // namespace seda::train
