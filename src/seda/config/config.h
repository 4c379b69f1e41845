// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/config/problem.h"
#include "seda/config/schema.h"

namespace seda::config {

enum class Origin { default_value, file, flag };

/// Where a value came from.
struct Source {
  Origin origin = Origin::default_value;
  Place place;       ///< With Origin::file.
  std::string flag;  ///< With Origin::flag.

  std::string text() const;  ///< "default", "seda.yaml:12", "--batch-size"
};

/// The effective value of every key, and where each came from.
///
/// Flags override the file, the file overrides the defaults. Paths may be old names. Asking for a
/// path that is not in the schema, or for another type than it has, is an Error(internal).
class Config {
 public:
  /// All defaults.
  Config();

  /// Throws Error(config) that lists every problem of the file, one a line.
  static Config load(const std::filesystem::path& file);

  /// Throws Error(usage) that names the flag, what was expected and what was found. A flag with a
  /// fixed value takes no argument.
  void set_flag(const Flag& flag, std::string_view argument = "");

  /// Throws Error(config) where `value` is not one that the key may hold.
  void set(std::string_view path, Value value, Source source);

  /// Back to the default, as if nobody had said anything of it.
  void reset(std::string_view path);

  /// Throws Error(config) where values contradict each other. `load` has done it for the file;
  /// call it again after flags.
  void check() const;

  bool is_auto(std::string_view path) const;
  bool boolean(std::string_view path) const;
  bool boolean_or(std::string_view path, bool where_auto) const;
  int64_t integer(std::string_view path) const;
  double number(std::string_view path) const;
  const std::string& text(std::string_view path) const;  ///< Text, choice, path or device.
  const std::vector<std::string>& list(std::string_view path) const;

  const Value& value(std::string_view path) const;
  const Source& source(std::string_view path) const;

  /// Whether somebody wants the value that it has: a flag, or a file with another than the default.
  bool is_wanted(std::string_view path) const;

  /// Paths of the keys that a file or a flag has set, in the order of the schema.
  std::vector<std::string> given() const;

 private:
  struct Entry {
    Value value;
    Source source;
  };
  const Entry& entry(std::string_view path) const;
  template <typename T>
  const T& get(std::string_view path) const;

  std::vector<Entry> entries_;  // parallel to keys()
};

/// A configuration as far as it could be understood, and what is wrong with the rest.
struct Reading {
  Config config;
  ProblemList problems;
};

/// Reads a file of at most 1 MiB. Throws Error(config) only where it cannot be read or is not YAML.
/// Beyond `most_problems` they are only counted.
Reading read_config(const std::filesystem::path& file, size_t most_problems = ProblemList::kLimit);

/// The same from text; `name` stands for the file in messages.
Reading parse_config(std::string_view text, const std::string& name,
                     size_t most_problems = ProblemList::kLimit);

/// The text of such a file. Throws Error(config) where it cannot be read.
std::string read_config_text(const std::filesystem::path& file);

/// `seda.yaml`, then `configs/config.yaml` below `folder`.
std::optional<std::filesystem::path> find_config_file(const std::filesystem::path& folder = ".");

}  // namespace seda::config
