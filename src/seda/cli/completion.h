// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace seda::cli {

/// Completion scripts for the whole tree below `app`: verbs, flags, and the values of flags whose
/// type is written as choices (`tiny|small`); files elsewhere.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace seda::cli
