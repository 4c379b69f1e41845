// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/man_page.h"

#include <map>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "seda/cli/option_words.h"

namespace seda::cli {
namespace {

constexpr const char* kSettings = "Configuration";  // the group of flags that stand for keys

/// Text as roff reads it: no backslash, dash or sign at the start of a line is a command.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string bold(const std::string& text) {
  return "\\fB" + plain(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + plain(text) + "\\fR";
}

/// A footer of the help: prose, and lines to be copied, which are indented there.
std::string footer_text(const std::string& footer) {
  std::istringstream lines(footer);
  std::string out;
  bool copied = false;
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with(' ');
    if (indented != copied) out += indented ? ".PP\n.nf\n.RS\n" : ".RE\n.fi\n.PP\n";
    copied = indented;
    out += plain(indented ? line.substr(line.find_first_not_of(' ')) : line) + "\n";
    if (!indented && !line.ends_with(':')) out += ".br\n";
  }
  return copied ? out + ".RE\n.fi\n" : out;
}

std::string synopsis(const CLI::App& verb, const std::string& call) {
  std::string out = bold(call) + " [" + italic("OPTIONS") + "]";
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name =
        italic(option->get_name(true)) + (option->get_items_expected_max() > 1 ? " ..." : "");
    out += option->get_required() ? " " + name : " [" + name + "]";
  }
  return verb.get_subcommands({}).empty() ? out : out + " " + italic("VERB");
}

std::string entry(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : flag_names(option))
    names += (names.empty() ? "" : ", ") + bold(name);
  if (option.get_positional()) names = italic(option.get_name(true));
  const bool valued = takes_value(option) && !option.get_positional();
  return fmt::format(".TP\n{}{}\n{}\n", names, valued ? " " + italic(value_name(option)) : "",
                     plain(option.get_description()));
}

/// The verb's own flags in full, those that stand for keys by name.
std::string options_of(const CLI::App& verb, std::map<std::string, std::string>& settings) {
  std::string own;
  std::string keys;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;  // hidden from help, too
    if (option->get_group() != kSettings) {
      own += entry(*option);
      continue;
    }
    const std::string name = flag_names(*option).front();
    settings.emplace(name, entry(*option));
    keys += (keys.empty() ? "" : ", ") + bold(name);
  }
  if (keys.empty()) return own;
  return own + ".TP\n" + bold("Settings") + "\n" + keys + "\n";
}

/// Of the first sentence of "seda: it does something. And more.", what it does.
std::string what_it_is(const CLI::App& app) {
  const std::string about = app.get_description();
  const size_t begin = about.find(' ') + 1;
  return about.substr(begin, about.find('.', begin) - begin);
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
  std::map<std::string, std::string> settings;
  std::string verbs;
  std::string calls;
  visit_verbs(app, [&](const CLI::App& verb, const std::string& path) {
    if (path.empty()) return;
    const std::string call = "seda" + CLI::detail::find_and_replace(path, "/", " ");
    if (verb.get_subcommands({}).empty()) calls += synopsis(verb, call) + "\n.br\n";
    verbs += fmt::format(".SS {}\n{}.\n.PP\n{}\n{}.PP\n{}", plain(call),
                         plain(verb.get_description()), synopsis(verb, call),
                         options_of(verb, settings), footer_text(verb.get_footer()));
  });
  std::string out = fmt::format(".TH SEDA 1 \"\" \"seda {}\" \"User Commands\"\n", version);
  out += ".SH NAME\nseda \\- " + plain(what_it_is(app)) + "\n";
  out += ".SH SYNOPSIS\n" + calls;
  out += ".SH OPTIONS\n" + options_of(app, settings);
  out += ".SH VERBS\n" + verbs;
  out += ".SH SETTINGS\n";
  for (const auto& [name, text] : settings)
    out += text;
  return out + ".SH EXIT STATUS\n" + footer_text(app.get_footer());
}

}  // namespace seda::cli
