// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace seda::cli {

/// The whole command line: every verb with its flags, help and action.
///
/// Help, shell completion and parsing all come from this one tree. The action of the verb that was
/// called runs inside `parse`.
std::unique_ptr<CLI::App> make_app();

/// Runs the program on `arguments` (the program's name first) and returns its exit code. Throws
/// nothing: errors end here, as one message on stderr.
int run(const std::vector<std::string>& arguments);

}  // namespace seda::cli
