// SPDX-License-Identifier: Apache-2.0
#include "seda/config/parse.h"

#include <algorithm>

#include <fmt/format.h>

#include "seda/base/ascii.h"
#include "seda/base/nearest.h"
#include "seda/config/describe.h"
#include "seda/config/detail/parsed_number.h"
#include "seda/config/problem.h"

namespace seda::config {
namespace {

Refusal refusal(const Key& key, std::string code, std::string_view found, std::string cure = "") {
  return {.code = std::move(code),
          .evidence = fmt::format("expected {}, found {}", expected_text(key), found),
          .cure = std::move(cure)};
}

std::string found_text(const Scalar& scalar) {
  if (scalar.quoted) return fmt::format("the quoted text \"{}\"", shown(scalar.text));
  return scalar.text.empty() ? "nothing" : shown(scalar.text);
}

Refusal wrong_type(const Key& key, const Scalar& scalar, std::string cure = "") {
  return refusal(key, "wrong_type", found_text(scalar), std::move(cure));
}

Parsed checked(const Key& key, Value value) {
  if (auto refused = check_value(key, value)) return *std::move(refused);
  return value;
}

Parsed parse_boolean(const Key& key, const Scalar& scalar) {
  const std::string word = lower_ascii(scalar.text);
  if (word == "true" || word == "yes" || word == "on") return Value(true);
  if (word == "false" || word == "no" || word == "off") return Value(false);
  return wrong_type(key, scalar);
}

template <typename T>
Parsed parse_number(const Key& key, const Scalar& scalar, const detail::ParsedNumber<T>& number) {
  if (!number.value) return wrong_type(key, scalar, number.cure);
  return checked(key, Value(*number.value));
}

/// Numbers and booleans, which YAML does not take from quotes.
Parsed parse_unquoted(const Key& key, const Scalar& scalar) {
  if (scalar.quoted) return wrong_type(key, scalar, "remove the quotes");
  if (key.type == Type::boolean) return parse_boolean(key, scalar);
  if (key.type == Type::integer)
    return parse_number(key, scalar, detail::read_integer(scalar.text));
  return parse_number(key, scalar, detail::read_number(scalar.text));
}

Parsed parse_device(const Key& key, const Scalar& scalar) {
  std::string word = lower_ascii(scalar.text);
  if (word.starts_with("cuda:")) word.erase(0, 5);
  return checked(key, Value(std::move(word)));
}

bool is_device(std::string_view text) {
  const bool digits =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  return text == "cpu" || (digits && text.size() <= 3 && (text == "0" || text[0] != '0'));
}

/// What follows the = of "slow_clip=50".
std::optional<Refusal> check_strength(const Key& key, const std::string& word, size_t equals) {
  const auto number = detail::read_number(std::string_view(word).substr(equals + 1));
  if (!number.value) return refusal(key, "wrong_type", shown(word), number.cure);
  if (*number.value > 0) return {};
  return refusal(key, "out_of_range", shown(word), "write a number above 0");
}

std::optional<Refusal> check_choice(const Key& key, const std::string& word) {
  if (key.choices.empty()) return {};
  const size_t equals = key.takes_strength ? word.find('=') : std::string::npos;
  const std::string name = word.substr(0, equals);
  if (std::ranges::find(key.choices, name) != key.choices.end())
    return equals == std::string::npos ? std::nullopt : check_strength(key, word, equals);
  const auto near = nearest_name(name, key.choices);
  return refusal(key, "not_a_choice", shown(word),
                 near ? fmt::format("did you mean {}?", *near) : "");
}

std::optional<Refusal> check_range(const Key& key, double number, const Value& value) {
  const bool low =
      key.minimum && (key.minimum_excluded ? number <= *key.minimum : number < *key.minimum);
  const bool high =
      key.maximum && (key.maximum_excluded ? number >= *key.maximum : number > *key.maximum);
  if (!low && !high) return {};
  return refusal(key, "out_of_range", to_text(value));
}

bool type_matches(Type type, const Value& value) {
  switch (type) {
    case Type::boolean:
      return std::holds_alternative<bool>(value);
    case Type::integer:
      return std::holds_alternative<int64_t>(value);
    case Type::number:
      return std::holds_alternative<double>(value);
    case Type::list:
      return std::holds_alternative<std::vector<std::string>>(value);
    case Type::text:
    case Type::choice:
    case Type::path:
    case Type::device:
      break;
  }
  return std::holds_alternative<std::string>(value);
}

std::optional<Refusal> check_text(const Key& key, const std::string& text) {
  if (text.empty()) return refusal(key, "no_value", "empty text");
  if (key.type == Type::device && !is_device(text))
    return refusal(key, "wrong_type", shown(text), "write for example 0, 1 or cpu");
  return check_choice(key, text);
}

std::vector<Scalar> split_commas(std::string_view text) {
  std::vector<Scalar> parts;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(std::string(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

}  // namespace

Parsed parse_scalar(const Key& key, const Scalar& scalar) {
  if (key.may_be_auto && lower_ascii(scalar.text) == key.unset_word) return Value();
  switch (key.type) {
    case Type::boolean:
    case Type::integer:
    case Type::number:
      return parse_unquoted(key, scalar);
    case Type::device:
      return parse_device(key, scalar);
    case Type::list:
      return wrong_type(key, scalar, fmt::format("write [{}]", shown(scalar.text)));
    case Type::text:
    case Type::choice:
    case Type::path:
      break;
  }
  return checked(key, Value(scalar.text));
}

Parsed parse_list(const Key& key, std::span<const Scalar> elements) {
  if (key.type != Type::list) return refusal(key, "wrong_type", "a list");
  std::vector<std::string> list;
  for (const Scalar& element : elements)
    list.push_back(element.text);
  return checked(key, Value(std::move(list)));
}

Parsed parse_argument(const Key& key, std::string_view argument) {
  const bool unset = key.may_be_auto && lower_ascii(argument) == key.unset_word;
  if (key.type == Type::list && !unset) return parse_list(key, split_commas(argument));
  return parse_scalar(key, Scalar(std::string(argument)));
}

Parsed parse_nothing(const Key& key) {
  if (key.may_be_auto) return Value();
  return refusal(key, "no_value", "nothing",
                 fmt::format("remove the line to get the default, {}", default_text(key)));
}

std::optional<Refusal> check_value(const Key& key, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) {
    if (key.may_be_auto) return {};
    return refusal(key, "no_value", "nothing");
  }
  if (!type_matches(key.type, value)) return refusal(key, "wrong_type", to_text(value));
  if (const auto* integer = std::get_if<int64_t>(&value))
    return check_range(key, static_cast<double>(*integer), value);
  if (const auto* number = std::get_if<double>(&value)) return check_range(key, *number, value);
  if (const auto* text = std::get_if<std::string>(&value)) return check_text(key, *text);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& element : *list) {
      if (auto refused = check_text(key, element)) return refused;
    }
  }
  return {};
}

}  // namespace seda::config
