// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "seda/config/config.h"
#include "seda/device/platform.h"
#include "seda/diagnose/diagnosis.h"
#include "seda/diagnose/trial.h"

namespace seda::diagnose {

/// What became of a remedy.
struct AppliedRemedy {
  Remedy remedy;
  bool kept = false;
  std::string why;               ///< It was not kept, in words.
  std::string diff;              ///< Of the file; empty where it was not written.
  std::filesystem::path backup;  ///< The file before.
  TrialRun before;
  TrialRun after;
};

/// Writes the remedies of a verdict that set a key into the configuration file, one after another,
/// measures each against what was before, and keeps only those that helped: at least 2 % more
/// clips/s, or 5 % more of the frames real. The others are taken back, also where measuring fails
/// or Ctrl-C ends it. Devices of roles are never changed. `config` is what the file and the flags
/// say now.
std::vector<AppliedRemedy> apply_remedies(const std::filesystem::path& file,
                                          const config::Config& config,
                                          const device::Platform& platform,
                                          const DiagnosisOptions& options,
                                          const Diagnosis& diagnosis);

}  // namespace seda::diagnose
