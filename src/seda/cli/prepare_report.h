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

}  // namespace seda::cli
