// SPDX-License-Identifier: Apache-2.0
//
// Any bytes are the log of a run, and its curves can be drawn.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/memory_file.h"

#include "seda/report/line_chart.h"
#include "seda/train/run_history.h"

namespace {

using namespace seda;

void draw(const report::Curve& curve) {
  const std::vector<report::ChartLine> lines = {{"curve", curve, false}};
  for (const auto scale :
       {report::ChartScale::fitted, report::ChartScale::from_zero, report::ChartScale::share}) {
    const std::string picture = report::draw_lines({.title = "fuzz", .scale = scale}, lines);
    if (picture.find("nan") != std::string::npos || picture.find("inf") != std::string::npos)
      std::abort();
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::MemoryFile file({reinterpret_cast<const char*>(data), size});
  const train::RunHistory history = train::read_history(file.path());
  for (const train::LossCurves& losses : {history.training, history.validation}) {
    for (const report::Curve& curve : {losses.total, losses.prior, losses.duration, losses.flow})
      draw(curve);
  }
  draw(history.lr);
  draw(history.steps_per_second);
  draw(history.stall);
  return 0;
}
