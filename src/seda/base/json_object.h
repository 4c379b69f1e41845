// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <nlohmann/json.hpp>

#include "seda/base/json.h"
#include "seda/base/json_whole.h"

namespace seda {
namespace detail {

/// Throws an Error(io): "`of`: expected `expected`, found …", an object or a long list by its kind
/// alone, the start of a long string.
[[noreturn]] void refuse_json(std::string_view of, std::string_view expected, const Json& found);

/// The same of a whole number that is not `least` to `most`.
[[noreturn]] void refuse_whole(std::string_view of, int64_t least, uint64_t most,
                               const Json& found);

/// What one reads a `T` from. nlohmann's own `get` takes 3.5 and true for a whole number, and a
/// number of 64 bits for an int.
template <typename T>
struct JsonType;

template <>
struct JsonType<bool> {
  static constexpr std::string_view kWord = "true or false";
  static bool holds(const Json& value) { return value.is_boolean(); }
};

template <std::integral T>
struct JsonType<T> {
  static constexpr std::string_view kWord =
      std::is_signed_v<T> ? "a whole number" : "a whole number of 0 or more";
  static bool holds(const Json& value) { return is_whole<T>(value); }
};

template <std::floating_point T>
struct JsonType<T> {
  static constexpr std::string_view kWord = "a number";
  static bool holds(const Json& value) { return value.is_number(); }
};

template <>
struct JsonType<std::string> {
  static constexpr std::string_view kWord = "a string";
  static bool holds(const Json& value) { return value.is_string(); }
};

template <std::integral T>
struct JsonType<std::vector<T>> {
  static constexpr std::string_view kWord = "a list of whole numbers";
  static bool holds(const Json& value) {
    return value.is_array() && std::ranges::all_of(value, JsonType<T>::holds);
  }
};

template <>
struct JsonType<std::vector<std::string>> {
  static constexpr std::string_view kWord = "a list of strings";
  static bool holds(const Json& value) {
    return value.is_array() && std::ranges::all_of(value, JsonType<std::string>::holds);
  }
};

}  // namespace detail

/// `value` as a `T`; an Error(io) that begins with `of` where it is none.
template <typename T>
T json_value(const Json& value, std::string_view of) {
  using Type = detail::JsonType<T>;
  if (Type::holds(value)) return value.get<T>();
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    using Limits = std::numeric_limits<T>;
    if (value.is_number_integer()) detail::refuse_whole(of, Limits::min(), Limits::max(), value);
  }
  detail::refuse_json(of, Type::kWord, value);
}

/// An object that was read from a file. What is missing or of another type is an Error(io) that
/// begins with its place: "run/checkpoint.json: progress: updates: expected a whole number, found
/// 1.5".
class JsonObject {
 public:
  /// `value` must outlive it. `of` is what its errors begin with.
  JsonObject(const Json& value, std::string of);

  const Json& value() const { return value_; }

  /// Null where there is none of that name.
  const Json* find(const char* name) const;

  const Json& at(const char* name) const;

  /// The value, which is a list.
  const Json& list(const char* name) const;

  JsonObject object(const char* name) const { return {at(name), place_of(name)}; }

  template <typename T>
  T get(const char* name) const {
    return json_value<T>(at(name), place_of(name));
  }

  template <typename T>
  void read(const char* name, T& into) const {
    into = get<T>(name);
  }

  /// The index of its word in `words`.
  size_t choice(const char* name, std::span<const std::string_view> words) const;

 private:
  std::string place_of(const char* name) const { return of_ + ": " + name; }

  const Json& value_;
  std::string of_;
};

}  // namespace seda
