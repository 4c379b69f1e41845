// SPDX-License-Identifier: Apache-2.0
#include "seda/train/run_course.h"

#include <algorithm>

#include "seda/base/log.h"

namespace seda::train {

void tell_nothing_to_do(const RunCourse& course) {
  log::info("nothing to do: {} steps of {} are done; raise training.max_steps or training.epochs",
            course.updates, course.total);
}

size_t steps_behind(device::Device model) {
  return model.is_cuda() ? 2 : 0;
}

uint64_t updates_of_epochs(uint64_t epochs, uint64_t batches, uint64_t parts, uint64_t done,
                           const feed::SamplerState& next) {
  const uint64_t all = epochs * batches;
  const uint64_t gone = next.epoch * batches + next.batch;
  return done + (all > gone ? (all - gone) / parts : 0);
}

uint64_t whole_epochs(const feed::SamplerState& next, uint64_t batches) {
  return next.epoch + (next.batch >= batches ? 1 : 0);  // an epoch ends when more is asked for
}

RunCourse run_course(const TrainOptions& options, uint64_t done, uint64_t of_epochs,
                     uint64_t late) {
  const uint64_t whole = std::max<uint64_t>(1, of_epochs);
  const uint64_t asked = options.max_updates.value_or(whole);
  return {.updates = done,
          .total = options.epochs_given ? std::min(asked, whole) : asked,
          .late = late,
          .log_every = options.log_every,
          .eval_every = options.eval_every,
          .checkpoint_every = options.checkpoint_every};
}

}  // namespace seda::train
