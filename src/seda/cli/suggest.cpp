// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/suggest.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "seda/base/error.h"
#include "seda/base/nearest.h"
#include "seda/cli/old_names.h"

namespace seda::cli {
namespace {

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({}))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> flag_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  return names;
}

/// The verb that was being parsed when the error came.
const CLI::App& innermost(const CLI::App& app) {
  const auto called = app.get_subcommands();
  return called.empty() ? app : innermost(*called.front());
}

std::string call_of(const CLI::App& verb) {
  const CLI::App* parent = verb.get_parent();
  return parent == nullptr ? verb.get_name() : call_of(*parent) + " " + verb.get_name();
}

std::string help_of(const CLI::App& verb) {
  return " (see '" + call_of(verb) + " --help')";
}

std::string with_hint(std::string message, const std::string& word,
                      const std::vector<std::string>& names) {
  if (const auto near = nearest_name(word, names)) message += "; did you mean '" + *near + "'?";
  return message;
}

/// Of the parser's words those that say too little in words of ours.
std::string in_own_words(const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return text;
  const std::string flag = text.substr(0, text.find(':'));
  if (text.ends_with(" missing")) return flag + ": expected a value behind it, found none";
  if (text.find(": At Most 1 ") != std::string::npos) return flag + " is given more than once";
  return text;
}

/// The first argument that nothing took, or "".
std::string first_extra(const CLI::App& verb) {
  const auto extras = verb.remaining(true);
  return extras.empty() ? "" : extras.front();
}

}  // namespace

std::string unknown_flag(const CLI::App& verb, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  return with_hint("'" + call_of(verb) + "' has no flag " + name, name, flag_names(verb)) +
         help_of(verb);
}

void refuse_unknown_verb(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.size() < 2 || arguments[1].starts_with("-")) return;
  const std::string& word = arguments[1];
  const auto verbs = verb_names(app);
  if (std::ranges::find(verbs, word) != verbs.end()) return;
  if (const OldName* old = find_old_name(word)) {
    throw Error(ErrorKind::usage, answer(*old, arguments, verbs));
  }
  throw Error(ErrorKind::usage, with_hint("no verb '" + word + "'", word, verbs) + "\n  verbs: " +
                                    CLI::detail::join(verbs, ", ") + " (see 'seda --help')");
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& verb = innermost(app);
  const std::string help = help_of(verb);
  const std::string word = first_extra(verb);
  if (const auto verbs = verb_names(verb);
      word.empty() && !verbs.empty() && dynamic_cast<const CLI::RequiredError*>(&error)) {
    return "'" + call_of(verb) + "' needs one of: " + CLI::detail::join(verbs, ", ") + help;
  }
  // A mistyped verb of a verb is reported as a missing one.
  if (word.empty() || (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr &&
                       dynamic_cast<const CLI::RequiredError*>(&error) == nullptr)) {
    return in_own_words(error) + help;
  }
  if (word.starts_with("-")) return unknown_flag(verb, word);
  return with_hint("'" + call_of(verb) + "' does not take '" + word + "'", word, verb_names(verb)) +
         help;
}

}  // namespace seda::cli
