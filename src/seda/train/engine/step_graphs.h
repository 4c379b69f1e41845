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
/// A new one is rehearsed without an effect, and then captured by GraphMaker.
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
