// SPDX-License-Identifier: Apache-2.0
#include "seda/config/config.h"

#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/audio/mel_options.h"
#include "seda/base/error.h"
#include "seda/base/json_or_null.h"
#include "seda/base/nearest.h"
#include "seda/cli/flags.h"
#include "seda/cli/verbs.h"
#include "seda/config/describe.h"
#include "seda/config/schema.h"
#include "seda/feed/audio_options.h"
#include "seda/model/model_options.h"

namespace seda::cli {
namespace {

using config::Config;
using config::Key;

bool below(const Key& key, const std::string& prefix) {
  return prefix.empty() || key.path == prefix || key.path.starts_with(prefix + ".");
}

/// The keys at or below `prefix`; an Error(usage) with the nearest name where there are none.
std::vector<const Key*> keys_below(const std::string& prefix) {
  std::vector<const Key*> found;
  std::vector<std::string> names;
  for (const Key& key : config::keys()) {
    if (below(key, prefix)) found.push_back(&key);
    names.push_back(key.path);
  }
  if (!found.empty()) return found;
  const auto sections = config::sections();
  names.insert(names.end(), sections.begin(), sections.end());
  const auto near = nearest_name(prefix, names);
  throw_error(ErrorKind::usage, "no key or section '{}'{}", prefix,
              near ? "; did you mean '" + *near + "'?" : " (see 'seda config keys')");
}

// seda config show

struct ShowFlags {
  std::string prefix;
  bool changed = false;
};

/// What a key that is auto stands for, where another key decides it.
struct Decided {
  Json value;
  std::string by;  ///< What that key is set to.
};
using DecidedKeys = std::map<std::string, Decided>;

DecidedKeys decided_keys(const Config& config) {
  DecidedKeys out;
  const auto decide = [&](const std::string& section, const Json& values, const std::string& by) {
    for (const auto& [name, value] : values.items()) {
      const std::string path = fmt::format("{}.{}", section, name);
      if (config::find_key(path) != nullptr && config.is_auto(path)) out[path] = {value, by};
    }
  };
  const std::string& size = config.text("model.size");
  decide("data.mel", audio::describe(feed::mel_options(config)), config.text("data.mel.preset"));
  decide("model", model::describe(model::model_size(size)), size);
  return out;
}

std::string decided_text(const Decided& decided) {
  const Json& value = decided.value;
  const std::string text = value.is_number_float() ? fmt::format("{}", value.get<double>())
                           : value.is_string()     ? value.get<std::string>()
                                                   : to_json_text(value, -1);
  return fmt::format("{} ({})", text, decided.by);
}

Json source_json(const config::Source& source) {
  Json out = {{"source", source.text()}};
  if (source.origin == config::Origin::file) {
    out["file"] = source.place.file;
    out["line"] = source.place.line;
  }
  return out;
}

Json show_json(const ConfigFlags::Loaded& loaded, const std::vector<const Key*>& keys) {
  Json values = Json::object();
  const DecidedKeys decided = decided_keys(loaded.config);
  for (const Key* key : keys) {
    Json& entry = values[key->path];
    const auto found = decided.find(key->path);
    entry["value"] = config::to_json(loaded.config.value(key->path));
    entry["effective"] = found == decided.end() ? entry["value"] : found->second.value;
    entry.update(source_json(loaded.config.source(key->path)));
  }
  return {{"file", loaded.file ? Json(loaded.file->string()) : Json()}, {"values", values}};
}

std::string show_text(const Config& config, const std::vector<const Key*>& keys) {
  size_t key_width = 0;
  size_t value_width = 0;
  std::vector<std::string> values;
  const DecidedKeys decided = decided_keys(config);
  for (const Key* key : keys) {
    const auto found = decided.find(key->path);
    values.push_back(found == decided.end()
                         ? config::to_text(config.value(key->path), key->unset_word)
                         : decided_text(found->second));
    key_width = std::max(key_width, key->path.size());
    value_width = std::max(value_width, std::min<size_t>(values.back().size(), 24));
  }
  std::string out;
  for (size_t i = 0; i < keys.size(); ++i) {
    out += fmt::format("{:<{}}  {:<{}}  {}\n", keys[i]->path, key_width, values[i], value_width,
                       config.source(keys[i]->path).text());
  }
  return out;
}

void show(const ConfigFlags::Loaded& loaded, const ShowFlags& flags, bool json) {
  auto keys = keys_below(flags.prefix);
  if (flags.changed) {
    std::erase_if(keys, [&](const Key* key) {
      return loaded.config.source(key->path).origin == config::Origin::default_value;
    });
  }
  if (json) {
    print_json(show_json(loaded, keys));
  } else {
    print(show_text(loaded.config, keys));
  }
}

void add_show(CLI::App& config) {
  CLI::App* verb = config.add_subcommand("show", "effective values and where each came from");
  const auto flags = std::make_shared<ShowFlags>();
  verb->add_option("KEY", flags->prefix, "one key, or a section such as data.mel");
  verb->add_flag("--changed", flags->changed, "only what a file or a flag has set");
  const auto common = add_common(*verb);
  const auto config_flags = add_config_flags(*verb);
  verb->footer(
      "Examples:\n  seda config show\n  seda config show data.mel --config voice.yaml\n  "
      "seda config show --changed --batch-size 32 --json");
  verb->callback([=] { show(config_flags->load(), *flags, common->json); });
}

// seda config keys

Json key_json(const Key& key) {
  Json out = {{"path", key.path},
              {"type", config::type_text(key)},
              {"default", config::to_json(key.default_value)},
              {"default_note", key.default_note},
              {"minimum", or_null(key.minimum)},
              {"maximum", or_null(key.maximum)},
              {"unit", key.unit},
              {"choices", key.choices},
              {"aliases", key.aliases},
              {"flags", Json::array()},
              {"meaning", key.meaning}};
  for (const config::Flag& flag : config::flags()) {
    if (flag.key == key.path) out["flags"].push_back(flag.name);
  }
  return out;
}

void keys(const std::string& prefix, bool markdown, bool json) {
  const auto found = keys_below(prefix);
  if (json) {
    Json list = Json::array();
    for (const Key* key : found)
      list.push_back(key_json(*key));
    return print_json({{"keys", list}});
  }
  if (markdown) return print(config::keys_markdown());
  for (const Key* key : found) {
    print(config::describe(*key) + "\n");
  }
}

void add_keys(CLI::App& config) {
  CLI::App* verb = config.add_subcommand("keys", "every key with type, default, range and meaning");
  const auto prefix = std::make_shared<std::string>();
  const auto markdown = std::make_shared<bool>(false);
  CLI::Option* key = verb->add_option("KEY", *prefix, "one key, or a section such as data.mel");
  verb->add_flag("--markdown", *markdown, "tables for a document")->excludes(key);
  const auto common = add_common(*verb);
  verb->footer("Examples:\n  seda config keys\n  seda config keys data.mel --json");
  verb->callback([=] { keys(*prefix, *markdown, common->json); });
}

}  // namespace

void add_config(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("config", "show the configuration and its keys");
  verb->require_subcommand(1);
  add_show(*verb);
  add_keys(*verb);
  verb->footer("Examples:\n  seda config show --config voice.yaml\n  seda config keys data");
}

}  // namespace seda::cli
