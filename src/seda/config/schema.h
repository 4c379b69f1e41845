// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "seda/config/value.h"

namespace seda::config {

/// One key of the configuration: all that is known about it, in one place.
struct Key {
  std::string path;  ///< "data.num_workers"
  Type type = Type::text;
  Value default_value;              ///< monostate: see default_note.
  std::string default_note;         ///< What monostate stands for: "cores this process may use".
  bool may_be_auto = false;         ///< Accepts `unset_word` and YAML's null.
  std::string unset_word = "auto";  ///< "none" where unset means off rather than chosen.
  std::optional<double> minimum;
  std::optional<double> maximum;
  bool minimum_excluded = false;
  bool maximum_excluded = false;
  std::string unit;                  ///< "MB", "tokens", "Hz"
  std::string meaning;               ///< One line.
  std::vector<std::string> choices;  ///< Of a choice, or of each element of a list.
  bool takes_strength = false;       ///< An element may be a choice with a number: "slow_clip=50".
  std::vector<std::string> aliases;  ///< Full old paths: "data.use_tf_native_loading".

  std::string_view section()
      const;                      ///< "data" of "data.num_workers", "data.mel" of "data.mel.fmin".
  std::string_view name() const;  ///< "num_workers"
};

/// A command-line flag that stands for a key.
struct Flag {
  std::string name;          ///< "--batch-size"
  std::string key;           ///< "data.batch_size"
  std::optional<bool> sets;  ///< The value it sets; without one it takes an argument.
};

/// Threads that a loader may have: the range of `data.num_workers`, also for whoever chooses them.
inline constexpr int kMostWorkers = 256;
/// Batches that may lie ready, on the host or in slots: the same of `data.prefetch_buffer_size` and
/// `data.pipeline_buffer_size`.
inline constexpr int kMostAhead = 256;

/// Every key, grouped by section in the order people should read them. Built once; thread-safe.
std::span<const Key> keys();

/// The key of that path or alias, or nullptr.
const Key* find_key(std::string_view path_or_alias);

/// "data", "data.audio", …, in the order of `keys`.
std::span<const std::string> sections();

/// Every flag that sets a key. Several may set the same one.
std::span<const Flag> flags();

/// The flag of that name ("--batch-size"), or nullptr.
const Flag* find_flag(std::string_view name);

}  // namespace seda::config
