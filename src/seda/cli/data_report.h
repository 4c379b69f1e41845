// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/diagnose/profile_data.h"

namespace seda::cli {

/// What `seda profile data --json` prints.
Json to_json(const diagnose::DataProfile& profile,
             const diagnose::ProfileOptions& options);  // data_report_json.cpp

/// The same for people.
std::string report_text(const diagnose::DataProfile& profile,
                        const diagnose::ProfileOptions& options);

/// The same as a page.
std::string report_page(const diagnose::DataProfile& profile,
                        const diagnose::ProfileOptions& options);  // data_report_page.cpp

/// Lines of the report: the corpus, the loader's speed, waits and padding.
std::string figures_text(const diagnose::DataProfile& profile,
                         const diagnose::ProfileOptions& options);

/// Lines of the report: the run without a page cache and the reference loader, where they were
/// measured.
std::string comparisons_text(const diagnose::DataProfile& profile);

/// How large the batches of a trial are, for a column: "16", or "8000 frames".
std::string size_text(const diagnose::TrialSettings& settings);

}  // namespace seda::cli
