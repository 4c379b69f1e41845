// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "seda/config/schema.h"

namespace seda::config::detail {

/// Writes a Key as one sentence: `integer("data.num_workers").automatic("…").range(1, 256)`.
class KeyBuilder {
 public:
  KeyBuilder(std::string path, Type type, Value default_value) {
    key_.path = std::move(path);
    key_.type = type;
    key_.default_value = std::move(default_value);
  }

  /// `auto` is accepted, and is the default where no other was given.
  KeyBuilder automatic(std::string note) && { return unset("auto", std::move(note)); }
  /// The same with the word `none`.
  KeyBuilder none(std::string note) && { return unset("none", std::move(note)); }

  KeyBuilder range(double minimum, double maximum) && {
    key_.minimum = minimum;
    key_.maximum = maximum;
    return std::move(*this);
  }
  KeyBuilder at_least(double minimum) && {
    key_.minimum = minimum;
    return std::move(*this);
  }
  KeyBuilder above(double minimum) && {
    key_.minimum = minimum;
    key_.minimum_excluded = true;
    return std::move(*this);
  }
  KeyBuilder at_most(double maximum) && {
    key_.maximum = maximum;
    return std::move(*this);
  }
  KeyBuilder below(double maximum) && {
    key_.maximum = maximum;
    key_.maximum_excluded = true;
    return std::move(*this);
  }
  KeyBuilder unit(std::string unit) && {
    key_.unit = std::move(unit);
    return std::move(*this);
  }
  KeyBuilder one_of(std::initializer_list<std::string> choices) && {
    key_.choices = choices;
    return std::move(*this);
  }
  /// Each choice may be followed by = and a number above 0.
  KeyBuilder with_strength() && {
    key_.takes_strength = true;
    return std::move(*this);
  }
  KeyBuilder alias(std::string path) && {
    key_.aliases.push_back(std::move(path));
    return std::move(*this);
  }
  Key means(std::string meaning) && {
    key_.meaning = std::move(meaning);
    return std::move(key_);
  }

 private:
  KeyBuilder unset(std::string word, std::string note) {
    key_.may_be_auto = true;
    key_.unset_word = std::move(word);
    key_.default_note = std::move(note);
    return std::move(*this);
  }

  Key key_;
};

inline KeyBuilder boolean(std::string path, Value value = {}) {
  return {std::move(path), Type::boolean, std::move(value)};
}
inline KeyBuilder integer(std::string path) {
  return {std::move(path), Type::integer, {}};
}
inline KeyBuilder integer(std::string path, int64_t value) {
  return {std::move(path), Type::integer, value};
}
inline KeyBuilder number(std::string path) {
  return {std::move(path), Type::number, {}};
}
inline KeyBuilder number(std::string path, double value) {
  return {std::move(path), Type::number, value};
}
inline KeyBuilder choice(std::string path, Value value = {}) {
  return {std::move(path), Type::choice, std::move(value)};
}
inline KeyBuilder text(std::string path, Value value = {}) {
  return {std::move(path), Type::text, std::move(value)};
}
inline KeyBuilder folder(std::string path, Value value = {}) {
  return {std::move(path), Type::path, std::move(value)};
}
inline KeyBuilder device(std::string path) {
  return {std::move(path), Type::device, {}};
}
inline KeyBuilder list(std::string path, Value value = {}) {
  return {std::move(path), Type::list, std::move(value)};
}

}  // namespace seda::config::detail
