// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seda/cli/output.h"
#include "seda/config/config.h"

namespace CLI {
class App;
}

namespace seda::cli {

/// Adds --json, --quiet and -v to a verb and sets the log by them before its action runs.
std::shared_ptr<Common> add_common(CLI::App& verb);

/// The configuration a verb was called with: --config and those flags that set keys.
class ConfigFlags {
 public:
  /// A configuration and the file it was read from, if any.
  struct Loaded {
    config::Config config;
    std::optional<std::filesystem::path> file;
  };

  /// Reads the file (--config, else ./seda.yaml, else ./configs/config.yaml, else none, saying
  /// which) and applies the flags over it. What a file says of `unread` keys, which the verb will
  /// not look at, contradicts nothing.
  Loaded load(const std::vector<std::string>& unread = {}) const;

  /// The file that `load` would read, if there is one.
  std::optional<std::filesystem::path> file() const;

  /// The same from text, with the flags applied over it: what is wrong with either is listed, at
  /// most `most_problems`. A flag that cannot be is an Error(usage), text that is not YAML an
  /// Error(config).
  config::Reading read(const std::string& text, const std::string& name,
                       size_t most_problems) const;
  /// The same without a file.
  config::Reading read_defaults() const;

 private:
  friend std::shared_ptr<ConfigFlags> add_config_flags(CLI::App& verb,
                                                       const std::vector<std::string>& keys);

  void given(const config::Flag& flag, const std::string& argument);
  config::Reading with_flags(config::Reading reading, size_t most_problems) const;

  std::string file_;
  std::vector<std::pair<const config::Flag*, std::string>> flags_;
};

/// Adds --config and the flags that set one of `keys`, or a key below one of them, to a verb; of an
/// empty list, every flag of the schema.
std::shared_ptr<ConfigFlags> add_config_flags(CLI::App& verb,
                                              const std::vector<std::string>& keys = {});

/// The keys that decide how a training step runs, for verbs that measure one.
const std::vector<std::string>& step_keys();

/// The corpus folder a verb was given as its argument, or the key `data.dataset_path`, if any. An
/// argument beside a flag for that key is an Error(usage).
std::optional<std::filesystem::path> given_corpus(const std::string& argument,
                                                  const config::Config& config);

/// The same; without one, an Error(usage) that says how to name it.
std::filesystem::path corpus_folder(const std::string& argument, const config::Config& config);

}  // namespace seda::cli
