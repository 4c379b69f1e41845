// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/train/profile_dual.h"

namespace seda::cli {

/// What `seda profile dual --json` prints.
Json to_json(const train::DualProfile& profile);

/// The same for people, and for a browser.
std::string report_text(const train::DualProfile& profile);
std::string report_page(const train::DualProfile& profile);

}  // namespace seda::cli
