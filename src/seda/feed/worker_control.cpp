// SPDX-License-Identifier: Apache-2.0
#include "seda/feed/worker_control.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace seda::feed {
bool is_of_workers(const LoaderStage& stage) {
  constexpr std::string_view kStages[] = {"read", "text", "decode", "mel"};
  return std::ranges::find(kStages, stage.name) != std::end(kStages);
}

pipeline::ControllerOptions WorkerControl::options(int most) {
  pipeline::ControllerOptions out;
  out.max_workers = most;
  return out;
}

pipeline::StageStatistics gathered_work(const LoaderStatistics& statistics) {
  pipeline::StageStatistics sum;
  for (const LoaderStage& stage : statistics.stages) {
    if (!is_of_workers(stage)) continue;
    sum.count = std::max(sum.count, stage.work.count);
    sum.bytes += stage.work.bytes;
    sum.busy_s += stage.work.busy_s;
    sum.blocked_in_s += stage.work.blocked_in_s;
    sum.blocked_out_s += stage.work.blocked_out_s;
  }
  sum.workers = statistics.workers;
  return sum;
}

void WorkerControl::update(const LoaderStatistics& now) {
  const LoaderStatistics between = now.since(last_);
  last_ = now;
  const int workers = pool_.size();
  if (workers == 0 || between.seconds <= 0) return;
  const auto sample =
      pipeline::make_sample(workers, gathered_work(between), between.wait_s, between.seconds);
  if (const int wanted = controller_.update(sample); wanted != workers) pool_.resize(wanted);
}

}  // namespace seda::feed
