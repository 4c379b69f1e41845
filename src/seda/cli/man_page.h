// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace seda::cli {

/// The manual page seda(1) in the language of man, from the help of `app` and of every verb below
/// it: what each does, how it is called, its flags, examples, exit codes.
///
/// Flags that stand for keys of the configuration are told once; each verb lists their names.
std::string man_page(const CLI::App& app, const std::string& version);

}  // namespace seda::cli
