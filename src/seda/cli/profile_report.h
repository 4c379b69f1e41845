// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/diagnose/profile_data.h"

namespace seda::cli {

/// What `seda profile data --json` prints.
Json to_json(const diagnose::DataProfile& profile, const diagnose::ProfileOptions& options);

/// The same for people.
std::string report_text(const diagnose::DataProfile& profile,
                        const diagnose::ProfileOptions& options);

/// The same as a page.
std::string report_page(const diagnose::DataProfile& profile,
                        const diagnose::ProfileOptions& options);

/// A verdict for people: the cause, its evidence, what to change.
std::string verdict_text(const diagnose::Verdict& verdict);

}  // namespace seda::cli
