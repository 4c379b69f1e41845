// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace seda::cli {

/// Throws Error(usage) when the first word is no verb of `app`: an old name is answered with what
/// replaced it, anything else with the nearest verb.
void refuse_unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments);

/// A parse error in words, with the nearest flag where one was mistyped, and where to find help.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// The same of `word`, a flag that `verb` does not have.
std::string unknown_flag(const CLI::App& verb, const std::string& word);

}  // namespace seda::cli
