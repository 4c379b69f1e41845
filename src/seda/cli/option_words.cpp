// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/option_words.h"

#include <CLI/CLI.hpp>

namespace seda::cli {
namespace {

void walk(const CLI::App& verb, const std::string& path, const VisitVerb& visit) {
  visit(verb, path);
  for (const CLI::App* child : verb.get_subcommands({})) {
    walk(*child, path + "/" + child->get_name(), visit);
  }
}

}  // namespace

void visit_verbs(const CLI::App& app, const VisitVerb& visit) {
  walk(app, "", visit);
}

Words flag_names(const CLI::Option& option) {
  Words names;
  for (const std::string& name : option.get_lnames())
    names.push_back("--" + name);
  for (const std::string& name : option.get_snames())
    names.push_back("-" + name);
  return names;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

std::string value_name(const CLI::Option& option) {
  return option.get_type_name();
}

Words choices(const CLI::Option& option) {
  const std::string name = value_name(option);
  return name.find('|') == std::string::npos ? Words{} : CLI::detail::split(name, '|');
}

}  // namespace seda::cli
