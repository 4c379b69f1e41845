// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/feed/loader.h"
#include "seda/pipeline/controller.h"
#include "seda/pipeline/worker_pool.h"

namespace seda::feed {

/// Gives a loader the threads it needs and no more, from what its stages measure.
///
/// Looks once in a while, when asked; between, `update` costs a comparison.
class WorkerControl {
 public:
  WorkerControl(pipeline::WorkerPool& pool, int most) : pool_(pool), controller_(options(most)) {}

  /// Whether it is time to look.
  bool is_due(double seconds) const { return seconds - last_.seconds >= kIntervalSeconds; }
  /// Looks at what the loader did so far, and changes the pool by at most one worker.
  void update(const LoaderStatistics& now);

 private:
  static constexpr double kIntervalSeconds = 0.25;

  static pipeline::ControllerOptions options(int most);

  pipeline::WorkerPool& pool_;
  pipeline::Controller controller_;
  LoaderStatistics last_;
};

/// Whether it is one of those that workers go through, clip by clip: all before the devices'.
bool is_of_workers(const LoaderStage& stage);

/// What the stages that workers do have done, together.
pipeline::StageStatistics gathered_work(const LoaderStatistics& statistics);

}  // namespace seda::feed
