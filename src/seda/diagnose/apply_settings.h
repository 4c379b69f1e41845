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

/// A copy of the file beside it, under the first free of `<file>.bak-1`, `<file>.bak-2`, …
std::filesystem::path back_up(const std::filesystem::path& file);

/// Whether `after` is worse than `before` by more than their runs differ among themselves, and by
/// at least 2 %: at a step by its stall, else by its rate.
bool is_worse(const Trial& before, const Trial& after, double step_s);

}  // namespace seda::diagnose
