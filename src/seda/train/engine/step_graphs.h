// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "seda/device/stream.h"
#include "seda/feed/batch.h"
#include "seda/train/engine/training_step.h"

namespace seda::train {

/// The steps of each batch shape as CUDA graphs, one for each shape and each value of
/// `ends_update`.
///
/// A new one is rehearsed three times on a stream beside, without an effect, and then captured: a
/// second or so, in which the host waits. All graphs share their memory, which holds because they
/// run one after another and leave their results elsewhere.
class StepGraphs {
 public:
  /// Error(unavailable) in a build without CUDA.
  StepGraphs(TrainingStep& step, device::StreamView stream);
  ~StepGraphs();
  StepGraphs(const StepGraphs&) = delete;
  StepGraphs& operator=(const StepGraphs&) = delete;

  /// Copies the batch to where its graph reads and runs the graph; makes it first where there is
  /// none. Error(internal) where torch cannot capture the step.
  void run(const feed::Batch& batch, bool ends_update);

  size_t shapes() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace seda::train
