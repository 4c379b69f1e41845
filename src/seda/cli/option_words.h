// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace seda::cli {

using Words = std::vector<std::string>;

/// A verb and the words that lead to it: "" for the program, "/config/show" for a verb of a verb.
using VisitVerb = std::function<void(const CLI::App& verb, const std::string& path)>;

/// `app` and every verb below it, each before its own.
void visit_verbs(const CLI::App& app, const VisitVerb& visit);

/// "--output", "-o"; none of a positional.
Words flag_names(const CLI::Option& option);

bool takes_value(const CLI::Option& option);

/// What its value is called: "FILE", "tiny|small", "1..1000".
std::string value_name(const CLI::Option& option);

/// The values to choose from, where its name lists them.
Words choices(const CLI::Option& option);

}  // namespace seda::cli
