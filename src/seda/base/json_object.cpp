// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json_object.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"

namespace seda {
namespace {

std::string told(const Json& found) {
  if (found.is_array()) return found.empty() ? "an empty list" : "a list";
  return found.is_object() ? "an object" : to_json_text(found, -1);
}

}  // namespace

namespace detail {

void refuse_json(std::string_view of, std::string_view expected, const Json& found) {
  throw_error(ErrorKind::io, "{}: expected {}, found {}", of, expected, told(found));
}

}  // namespace detail

JsonObject::JsonObject(const Json& value, std::string of) : value_(value), of_(std::move(of)) {
  if (!value.is_object()) detail::refuse_json(of_, "an object", value);
}

const Json& JsonObject::at(const char* name) const {
  const auto found = value_.find(name);
  if (found == value_.end()) {
    throw_error(ErrorKind::io, "{}: expected a value '{}', found none", of_, name);
  }
  return *found;
}

size_t JsonObject::choice(const char* name, std::span<const std::string_view> words) const {
  const auto word = get<std::string>(name);
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    throw_error(ErrorKind::io, "{}: expected one of {}, found '{}'", place_of(name),
                fmt::join(words, ", "), word);
  }
  return static_cast<size_t>(found - words.begin());
}

}  // namespace seda
