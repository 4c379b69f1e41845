// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "seda/config/config.h"

namespace seda::config {

/// Adds a problem for every pair of values that cannot both hold, with the reason. Values left to
/// the program are not judged: who resolves them does.
void check_together(const Config& config, ProblemList& problems);

}  // namespace seda::config
