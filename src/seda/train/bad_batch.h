// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/train/learner.h"
#include "seda/train/run_setup.h"

namespace seda::train {

struct BadBatchPlace {
  const TrainOptions& options;
  const RunSetup& setup;
  const device::Platform& platform;
  device::StreamView stream;
};

/// Ends a run at a step whose loss or gradient was not finite: Error(check_failed), which names the
/// step, its shape and its clips. Before that it writes `<run>/not-finite-<step>/`: a checkpoint of
/// the weights before the step, which is what the engine still has, and `batch.safetensors`, the
/// batch, made once more; of a gradient also the batches that were summed before it, beside it
/// (`path_of_part`).
[[noreturn]] void stop_at_bad_batch(const BadBatchPlace& place, const LearnedStep& step,
                                    const RunProgress& progress, Engine& engine);

}  // namespace seda::train
