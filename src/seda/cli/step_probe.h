// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "seda/base/progress.h"
#include "seda/device/platform.h"
#include "seda/diagnose/step_profile.h"

namespace seda::cli {

/// Measures training steps with the model that a configuration asks for.
struct StepProbe {
  diagnose::ProbeStep probe;  ///< Absent,
  std::string absence;        ///< because of this.
};

/// Loads torch. A probe takes about 15 s, and says how far it is, but nothing of the cache: whoever
/// asks has opened it. `platform` outlives it.
StepProbe step_probe(const std::filesystem::path& corpus, bool use_cache,
                     const device::Platform& platform, ProgressStyle progress);

}  // namespace seda::cli
