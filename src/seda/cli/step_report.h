// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/train/profile_step.h"

namespace seda::cli {

/// What `seda profile step --json` prints.
Json to_json(const train::JudgedStep& step);

/// The same for people, and for a browser.
std::string report_text(const train::JudgedStep& step);
std::string report_page(const train::JudgedStep& step);

}  // namespace seda::cli
