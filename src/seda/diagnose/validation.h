// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "seda/diagnose/check.h"
#include "seda/diagnose/check_context.h"
#include "seda/diagnose/live_run.h"

namespace seda::diagnose {

/// A configuration, and where it is to be used.
struct ValidationInput {
  const config::Reading& reading;  ///< With the flags applied.
  std::optional<std::filesystem::path> file;
  std::string text;  ///< Of the file.
  const device::Platform& platform;
  device::Monitor& monitor;
  Machine machine;
};

struct ValidationOptions {
  std::optional<std::filesystem::path> corpus;
  WeighModel weigh_model;  ///< Absent: no model is known.
  bool live = false;       ///< A few seconds of feeding too, and every clip rather than a sample.
  LiveOptions live_run;
  ProgressStyle progress = ProgressStyle::quiet;
};

struct Validation {
  std::vector<Check> checks;  ///< In the order of `check_names`.
  std::optional<LiveRun> live;

  size_t count(Status status) const;
  /// Of all checks.
  std::vector<Finding> findings() const;
};

/// This machine's.
Machine find_machine();

/// Makes every check. Writes nothing. Ctrl-C is an Error(interrupted).
Validation validate(const ValidationInput& input, const ValidationOptions& options);

/// Findings of the checks that look at the configuration and its devices alone; milliseconds.
std::vector<Finding> configuration_findings(const ValidationInput& input);

}  // namespace seda::diagnose
