// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/feed/prepare.h"

namespace seda::cli {

/// What preparing did, as `seda prepare --json` prints it.
Json to_json(const feed::PrepareReport& report);

/// The same for people; of a dry run, what would be done.
std::string report_text(const feed::PrepareReport& report, bool dry_run);

/// Error(check_failed) where no clip can be used, or more than the share `most` of them are bad.
void check_faults(const feed::PrepareReport& report, double most);

}  // namespace seda::cli
