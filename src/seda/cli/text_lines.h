// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "seda/base/json.h"
#include "seda/config/config.h"
#include "seda/text/frontend.h"

namespace seda::cli {

/// The frontend that `data.text.*` asks for, as far as `stage`. Error(config) where tokens are
/// asked for and their table would have to be learned from a corpus.
text::Frontend make_frontend(const config::Config& config, text::Stage stage);

/// What it makes of each line, on `threads` threads; 0: as many as cores.
std::vector<text::Line> apply_all(const text::Frontend& frontend,
                                  const std::vector<std::string>& lines, int threads);

/// One line, as `seda text --json` prints it.
Json to_json(const std::string& input, const text::Line& line, text::Stage stage);

}  // namespace seda::cli
