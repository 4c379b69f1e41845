// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/completion.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/build_info.h"
#include "seda/base/error.h"
#include "seda/cli/flags.h"
#include "seda/cli/limits.h"
#include "seda/cli/man_page.h"
#include "seda/cli/option_words.h"
#include "seda/cli/verbs.h"

namespace seda::cli {
namespace {

std::string joined(const Words& words) {
  return CLI::detail::join(words, " ");
}

/// What may stand next after a verb: its verbs, flags and the choices of its arguments.
Words next_words(const CLI::App& verb) {
  Words words;
  for (const CLI::App* child : verb.get_subcommands({}))
    words.push_back(child->get_name());
  for (const CLI::Option* option : verb.get_options()) {
    const Words names = option->get_positional() ? choices(*option) : flag_names(*option);
    words.insert(words.end(), names.begin(), names.end());
  }
  return words;
}

std::string bash_values(const CLI::App& verb, const std::string& path) {
  std::string out;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional() || !takes_value(*option)) continue;
    for (const std::string& name : flag_names(*option)) {
      const Words values = choices(*option);
      out += fmt::format("    '{}:{}') COMPREPLY=($(compgen {} -- \"$word\")); return ;;\n", path,
                         name, values.empty() ? "-f" : "-W '" + joined(values) + "'");
    }
  }
  return out;
}

/// Inside '...[here]': zsh's own quoting of brackets and colons, then the shell's of quotes.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

std::string zsh_function(const std::string& path) {
  return "_seda" + CLI::detail::find_and_replace(path, "/", "_");
}

std::string zsh_flags(const CLI::App& verb) {
  std::string out;
  for (const CLI::Option* option : verb.get_options()) {
    const Words values = choices(*option);
    const std::string action = values.empty() ? "_files" : "(" + joined(values) + ")";
    const std::string about = zsh_text(option->get_description());
    if (option->get_positional()) {
      out += fmt::format("    ':{}:{}' \\\n", zsh_text(option->get_name(true)), action);
      continue;
    }
    for (const std::string& name : flag_names(*option)) {
      out += takes_value(*option) ? fmt::format("    '{}[{}]:value:{}' \\\n", name, about, action)
                                  : fmt::format("    '{}[{}]' \\\n", name, about);
    }
  }
  return out;
}

std::string zsh_verb(const CLI::App& verb, const std::string& path) {
  const auto children = verb.get_subcommands({});
  std::string out = zsh_function(path) + "() {\n";
  if (children.empty()) return out + "  _arguments \\\n" + zsh_flags(verb) + "    && return 0\n}\n";
  out += "  local state line\n  local -a verbs=(\n";
  for (const CLI::App* child : children) {
    out += fmt::format("    '{}:{}'\n", child->get_name(), zsh_text(child->get_description()));
  }
  out += "  )\n  _arguments -C \\\n" + zsh_flags(verb) +
         "    '1: :->verb' '*:: :->rest' && return 0\n  case $state in\n"
         "    verb) _describe verb verbs ;;\n    rest) case $line[1] in\n";
  for (const CLI::App* child : children) {
    out += fmt::format("      {}) {} ;;\n", child->get_name(),
                       zsh_function(path + "/" + child->get_name()));
  }
  return out + "    esac ;;\n  esac\n}\n";
}

const CLI::App& root_of(const CLI::App& verb) {
  return verb.get_parent() == nullptr ? verb : root_of(*verb.get_parent());
}

std::string script_of(const std::string& kind, const CLI::App& app) {
  if (kind == "bash") return bash_completion(app);
  return kind == "zsh" ? zsh_completion(app) : man_page(app, std::string(build_info().version));
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string paths;
  std::string values;
  std::string words;
  visit_verbs(app, [&](const CLI::App& verb, const std::string& path) {
    if (!path.empty()) paths += (paths.empty() ? "'" : "|'") + path + "'";
    values += bash_values(verb, path);
    words += fmt::format("    '{}') words='{}' ;;\n", path, joined(next_words(verb)));
  });
  return fmt::format(
      R"(# bash completion for seda; load with: source <(seda completion bash)
_seda() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} path='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/${{COMP_WORDS[i]}}" in
      {}) path="$path/${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$path:$before" in
{}  esac
  case "$path" in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _seda seda
)",
      paths, values, words);
}

std::string zsh_completion(const CLI::App& app) {
  std::string out =
      "#compdef seda\n# zsh completion for seda; load with: source <(seda completion zsh)\n";
  visit_verbs(app,
              [&](const CLI::App& verb, const std::string& path) { out += zsh_verb(verb, path); });
  return out + "compdef _seda seda\n";
}

void add_completion(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("completion", "print a completion script for your shell, or the manual");
  const auto kind = std::make_shared<std::string>();
  one_of(verb->add_option("KIND", *kind, "a shell's completion script, or the manual page seda(1)")
             ->required(),
         {"bash", "zsh", "man"});
  verb->footer(
      "Examples:\n  source <(seda completion bash)\n  seda completion zsh > "
      "~/.zsh/completions/_seda\n  seda completion man > seda.1 && man ./seda.1");
  const auto common = add_common(*verb);
  verb->callback([verb, kind, common] {
    const std::string script = script_of(*kind, root_of(*verb));
    if (common->json) {
      print_json({{"kind", *kind}, {"script", script}});
    } else {
      print(script);
    }
  });
}

}  // namespace seda::cli
