// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/flags.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "seda/base/error.h"
#include "seda/base/log.h"
#include "seda/config/checks.h"
#include "seda/config/describe.h"

namespace seda::cli {

std::shared_ptr<Common> add_common(CLI::App& verb) {
  auto common = std::make_shared<Common>();
  verb.add_flag("--json", common->json, "one JSON object on stdout, logs on stderr");
  verb.add_flag("-q,--quiet", common->quiet, "errors and the result alone");
  verb.add_flag("-v,--verbose", common->verbose, "debug lines with time and thread")
      ->excludes("--quiet");
  verb.parse_complete_callback([common] { configure_log(*common); });
  return common;
}

void ConfigFlags::given(const config::Flag& flag, const std::string& argument) {
  for (const auto& [earlier, value] : flags_) {
    if (earlier->key != flag.key) continue;
    throw_error(ErrorKind::usage, "{} and {} both set {}; give one of them", earlier->name,
                flag.name, flag.key);
  }
  flags_.emplace_back(&flag, argument);
}

std::optional<std::filesystem::path> ConfigFlags::file() const {
  return file_.empty() ? config::find_config_file() : std::filesystem::path(file_);
}

config::Reading ConfigFlags::with_flags(config::Reading reading, size_t most_problems) const {
  if (flags_.empty()) return reading;
  for (const auto& [flag, argument] : flags_)
    reading.config.set_flag(*flag, argument);
  config::ProblemList together(most_problems);  // a flag may mend a contradiction, or make one
  for (const config::Problem& problem : reading.problems.problems()) {
    if (problem.code != "contradiction") together.add(problem);
  }
  config::check_together(reading.config, together);
  reading.problems = std::move(together);
  return reading;
}

config::Reading ConfigFlags::read(const std::string& text, const std::string& name,
                                  size_t most_problems) const {
  return with_flags(config::parse_config(text, name, most_problems), most_problems);
}

config::Reading ConfigFlags::read_defaults() const {
  config::Reading defaults;
  return with_flags(std::move(defaults), config::ProblemList::kLimit);
}

ConfigFlags::Loaded ConfigFlags::load(const std::vector<std::string>& unread) const {
  Loaded loaded;
  loaded.file = file();
  if (loaded.file) {
    loaded.config = config::Config::load(*loaded.file);
    log::info("configuration: {}", loaded.file->string());
  } else {
    log::info("configuration: defaults (no --config, ./seda.yaml or ./configs/config.yaml)");
  }
  for (const std::string& key : unread)
    loaded.config.reset(key);
  for (const auto& [flag, argument] : flags_)
    loaded.config.set_flag(*flag, argument);
  loaded.config.check();
  return loaded;
}

namespace {

bool is_below(const std::string& key, const std::vector<std::string>& sections) {
  return sections.empty() || std::ranges::any_of(sections, [&](const std::string& section) {
           return key == section || key.starts_with(section + ".");
         });
}

/// The key, what the flag makes of it, and what holds without the flag.
std::string about(const config::Key& key, const config::Flag& flag) {
  std::string out = key.path + ": ";
  if (flag.sets) out += *flag.sets ? "true. " : "false. ";
  std::string otherwise = config::default_text(key);
  const bool several =
      !std::holds_alternative<std::monostate>(key.default_value) && otherwise != "1";
  if (several && !key.unit.empty()) otherwise += " " + key.unit;
  return out + key.meaning + " [" + otherwise + "]";
}

}  // namespace

std::shared_ptr<ConfigFlags> add_config_flags(CLI::App& verb,
                                              const std::vector<std::string>& keys) {
  auto store = std::make_shared<ConfigFlags>();
  verb.add_option("--config", store->file_,
                  "configuration file [./seda.yaml, ./configs/config.yaml]")
      ->type_name("FILE");
  for (const config::Flag& flag : config::flags()) {
    if (!is_below(flag.key, keys)) continue;
    const config::Key& key = *config::find_key(flag.key);
    CLI::Option* option = nullptr;
    if (flag.sets) {
      option = verb.add_flag_callback(
          flag.name, [store, &flag] { store->given(flag, ""); }, about(key, flag));
    } else {
      option = verb.add_option_function<std::string>(
          flag.name, [store, &flag](const std::string& value) { store->given(flag, value); },
          about(key, flag));
      option->type_name(key.choices.empty() ? "VALUE" : CLI::detail::join(key.choices, "|"));
    }
    option->group("Configuration");
  }
  return store;
}

const std::vector<std::string>& step_keys() {
  static const std::vector<std::string> keys = {"data",
                                                "model",
                                                "training.enable_graph_mode",
                                                "training.enable_xla_compilation",
                                                "training.mixed_precision",
                                                "training.gradient_accumulation_steps",
                                                "training.seed"};
  return keys;
}

std::optional<std::filesystem::path> given_corpus(const std::string& argument,
                                                  const config::Config& config) {
  constexpr const char* kKey = "data.dataset_path";
  const config::Source& source = config.source(kKey);
  if (!argument.empty() && source.origin == config::Origin::flag) {
    throw_error(ErrorKind::usage,
                "the argument {} and {} {} both name the corpus; give one of them", argument,
                source.flag, config.text(kKey));
  }
  if (!argument.empty()) return argument;
  if (config.is_auto(kKey)) return {};
  return config.text(kKey);
}

std::filesystem::path corpus_folder(const std::string& argument, const config::Config& config) {
  if (auto folder = given_corpus(argument, config)) return *std::move(folder);
  throw_error(ErrorKind::usage,
              "no corpus given: name its folder as the argument, with --train-data, or as "
              "data.dataset_path in the configuration");
}

}  // namespace seda::cli
