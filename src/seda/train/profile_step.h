// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "seda/diagnose/cause.h"
#include "seda/diagnose/step_profile.h"
#include "seda/train/library.h"
#include "seda/train/train_options.h"

namespace seda::train {

struct StepProfileOptions {
  size_t steps = 100;          ///< Updates of the measured loop,
  double most_s = 20;          ///< or fewer, when they take longer.
  double most_warm_up_s = 15;  ///< Before them.
  double other_s = 4;          ///< Of each other measurement, at most.
  bool larger_batch = true;    ///< Also try batches of twice the size.
};

/// A step's times and what they mean.
struct JudgedStep {
  diagnose::StepProfile profile;
  diagnose::Verdict verdict;
};

/// Times training steps: in the loop as configured, part by part, with resident batches, and run
/// the other ways the engine has; says how far it is as `train` asks for. Nothing is kept of the
/// training. Ctrl-C is an Error(interrupted).
JudgedStep profile_step(const TrainOptions& train, const Library& library,
                        const device::Platform& platform, const StepProfileOptions& options);

}  // namespace seda::train
