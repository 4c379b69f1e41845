// SPDX-License-Identifier: Apache-2.0
#include "seda/base/json_object.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/utf8.h"

namespace seda {
namespace {

constexpr size_t kLongestText = 60;  // bytes

std::string told(const Json& found) {
  if (found.is_object()) return "an object";
  const std::string text = to_json_text(found, -1);
  if (found.is_array() && text.size() > kLongestText) {
    return fmt::format("a list of {}", found.size());
  }
  return excerpt(text, kLongestText);
}

}  // namespace

namespace detail {

void refuse_json(std::string_view of, std::string_view expected, const Json& found) {
  throw_error(ErrorKind::io, "{}: expected {}, found {}", of, expected, told(found));
}

void refuse_whole(std::string_view of, int64_t least, uint64_t most, const Json& found) {
  throw_error(ErrorKind::io, "{}: expected {} to {}, found {}", of, least, most, told(found));
}

}  // namespace detail

JsonObject::JsonObject(const Json& value, std::string of) : value_(value), of_(std::move(of)) {
  if (!value.is_object()) detail::refuse_json(of_, "an object", value);
}

const Json* JsonObject::find(const char* name) const {
  const auto found = value_.find(name);
  return found == value_.end() ? nullptr : &*found;
}

const Json& JsonObject::at(const char* name) const {
  const Json* found = find(name);
  if (found == nullptr) {
    throw_error(ErrorKind::io, "{}: expected a value '{}', found none", of_, name);
  }
  return *found;
}

const Json& JsonObject::list(const char* name) const {
  const Json& found = at(name);
  if (!found.is_array()) detail::refuse_json(place_of(name), "a list", found);
  return found;
}

size_t JsonObject::choice(const char* name, std::span<const std::string_view> words) const {
  const auto word = get<std::string>(name);
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    throw_error(ErrorKind::io, "{}: expected one of {}, found '{}'", place_of(name),
                fmt::join(words, ", "), excerpt(word, kLongestText));
  }
  return static_cast<size_t>(found - words.begin());
}

}  // namespace seda
