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
  /// which) and applies the flags over it.
  Loaded load() const;

 private:
  friend std::shared_ptr<ConfigFlags> add_config_flags(CLI::App& verb);

  void given(const config::Flag& flag, const std::string& argument);

  std::string file_;
  std::vector<std::pair<const config::Flag*, std::string>> flags_;
};

/// Adds --config and every flag of the schema to a verb.
std::shared_ptr<ConfigFlags> add_config_flags(CLI::App& verb);

}  // namespace seda::cli
