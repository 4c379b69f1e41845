// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "seda/device/device.h"
#include "seda/feed/sampler.h"
#include "seda/train/train_options.h"

namespace seda::train {

/// How far a run is, and what is due there: the same for a voice and for a vocoder.
struct RunCourse {
  uint64_t updates = 0;  ///< Done,
  uint64_t total = 0;    ///< of so many.
  uint64_t late = 0;     ///< Updates that the device may have left when a log point is written.
  uint64_t log_every = 50;
  uint64_t eval_every = 1000;
  uint64_t checkpoint_every = 1000;

  bool ended() const { return updates >= total; }
  /// A little after the step it is of, so that the device has work meanwhile.
  bool is_log_point() const { return updates > late && (updates - late) % log_every == 0; }
  bool is_validation_point() const { return is_due(eval_every); }
  bool is_checkpoint_point() const { return is_due(checkpoint_every); }

 private:
  bool is_due(uint64_t every) const { return updates % every == 0 || updates == total; }
};

/// For people: that all was done before, and how to go on.
void tell_nothing_to_do(const RunCourse& course);

/// Steps that a device may still have to do when a log point is written: 0 on the CPU, where a step
/// is done when it returns.
size_t steps_behind(device::Device model);

/// Updates of a run of so many epochs that did `done` and comes to `next`: those, and what is left
/// where an epoch has `batches` now and an update takes `parts` of them. Batches of another size
/// than before do not make it shorter or longer.
uint64_t updates_of_epochs(uint64_t epochs, uint64_t batches, uint64_t parts, uint64_t done,
                           const feed::SamplerState& next);

/// Epochs of `batches` that lie wholly before the batch at `next`.
uint64_t whole_epochs(const feed::SamplerState& next, uint64_t batches);

/// Of a run that goes on after `done` updates and would make `of_epochs` in all its epochs.
RunCourse run_course(const TrainOptions& options, uint64_t done, uint64_t of_epochs, uint64_t late);

}  // namespace seda::train
