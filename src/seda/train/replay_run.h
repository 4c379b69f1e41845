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

/// What a saved batch does to the weights beside it.
struct ReplayReport {
  uint64_t step = 0;
  uint32_t bucket = 0;
  std::vector<std::string> utterances;
  StepLosses losses;
  std::string first_problem;  ///< What was the first not to be finite; empty: all was.
};

/// Takes the step of a batch that `train` saved once more, with every operation checked and in the
/// precision of the run, which by itself is that of the device. `config` says on which device.
ReplayReport replay(const std::filesystem::path& batch, const config::Config& config,
                    const Library& library, const device::Platform& platform);

}  // namespace seda::train
