// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "seda/diagnose/trial.h"

namespace seda::diagnose {

/// The text of a configuration with `to` in place of `from`: keys that differ are set, all else
/// stays as it is. `name` stands for the file in messages.
std::string with_settings(const std::string& text, const std::string& name,
                          const TrialSettings& from, const TrialSettings& to);

/// Whether `after` is better than `before` by more than runs of either differ among themselves, and
/// by at least 2 %: at a step by its stall, else by its rate.
bool is_better(const Trial& before, const Trial& after, double step_s);

/// What became of settings that were written into a file.
struct AppliedSettings {
  bool kept = false;
  bool reverted = false;         ///< Taken back: measured again they were no better.
  std::string why;               ///< They were not kept, in words.
  std::string diff;              ///< Of the file; empty where it was not written.
  std::filesystem::path backup;  ///< The file before.
  Trial before;
  Trial after;
};

/// Where `chosen` is better than `current` (`is_better`), writes its settings into the
/// configuration file, measures both again, and takes it back where it is no better now, and also
/// where measuring fails or Ctrl-C ends it. Throws what `run` throws; Error(io) where the file
/// cannot be written, which is as it was then.
AppliedSettings apply_settings(const std::filesystem::path& file, const Trial& current,
                               const Trial& chosen, const RunTrial& run, double step_s);

}  // namespace seda::diagnose
