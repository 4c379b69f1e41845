// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "seda/config/config.h"
#include "seda/device/platform.h"
#include "seda/train/library.h"
#include "seda/train/step_losses.h"

namespace seda::train {

/// What a saved batch does to the weights beside it, behind those of its update that were kept.
struct ReplayReport {
  uint64_t step = 0;
  uint32_t bucket = 0;
  std::vector<std::string> utterances;  ///< Of all these batches.
  StepLosses as_run;                    ///< By the kernels of the run.
  StepLosses losses;                    ///< Op by op.
  std::string first_problem;  ///< What was the first not to be finite there; empty: all was.

  bool finite() const { return as_run.finite && losses.finite && first_problem.empty(); }
};

/// Takes the step of a batch that `train` saved twice more, in the precision of the run, which by
/// itself is that of the device: by the run's kernels, then op by op with every operation checked.
/// `config` says on which device.
ReplayReport replay(const std::filesystem::path& batch, const config::Config& config,
                    const Library& library, const device::Platform& platform);

}  // namespace seda::train
