// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/stage_bars.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "seda/base/units.h"
#include "seda/feed/worker_control.h"

namespace seda::cli {
namespace {

constexpr int kColumns = 28;

int columns(double share, int left) {
  return std::clamp(static_cast<int>(std::lround(share * kColumns)), 0, left);
}

/// Workers go from stage to stage, so that each has a part of their time; a device's stage has all
/// of its own.
double time_of(const feed::LoaderStage& stage, const feed::LoaderStatistics& statistics) {
  return std::max(stage.work.worker_s(), feed::is_of_workers(stage)
                                             ? std::max(1, statistics.workers) * statistics.seconds
                                             : statistics.seconds);
}

std::string bar(const pipeline::StageStatistics& work, double seconds) {
  int left = kColumns;
  const auto part = [&](double spent, char sign) {
    const int count = columns(seconds > 0 ? spent / seconds : 0, left);
    left -= count;
    return std::string(static_cast<size_t>(count), sign);
  };
  const std::string busy = part(work.busy_s, '#');
  const std::string in = part(work.blocked_in_s, '<');
  const std::string out = part(work.blocked_out_s, '>');
  return busy + in + std::string(static_cast<size_t>(left), '.') + out;
}

}  // namespace

std::string stage_bars(const feed::LoaderStatistics& statistics) {
  std::string out;
  for (const feed::LoaderStage& stage : statistics.stages) {
    const double seconds = time_of(stage, statistics);
    out += fmt::format("  {:<9} [{}] {:>4.0f} %", stage.name, bar(stage.work, seconds),
                       seconds > 0 ? 100 * stage.work.busy_s / seconds : 0);
    if (stage.work.bytes > 0) out += fmt::format("  {:>9}", format_bytes(stage.work.bytes));
    if (stage.queue_size > 0)
      out += fmt::format("  {:.1f} of {} ready", stage.queue_mean, stage.queue_size);
    out += "\n";
  }
  return out + "             # busy  < waits for work  > waits for room\n";
}

}  // namespace seda::cli
