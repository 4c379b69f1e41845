// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace seda::diagnose {

/// The page that shows a watch as it goes on: one document with its own script, which asks
/// `/samples.json` and `/verdict.json` and nothing else.
std::string live_page();

}  // namespace seda::diagnose
