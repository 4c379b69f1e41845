// SPDX-License-Identifier: Apache-2.0
#include "seda/config/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace seda::config {
namespace {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::boolean:
      return "true or false";
    case Type::integer:
      return "integer";
    case Type::number:
      return "number";
    case Type::text:
      return "text";
    case Type::choice:
      return "choice";
    case Type::path:
      return "path";
    case Type::device:
      return "number of a GPU, or cpu";
    case Type::list:
      return "list";
  }
  return "";
}

/// "from 1 to 256", "above 0 and at most 10", "at least 0"; empty without bounds.
std::string bounds_text(const Key& key) {
  const bool closed = !key.minimum_excluded && !key.maximum_excluded;
  if (key.minimum && key.maximum && closed) {
    return fmt::format("from {} to {}", *key.minimum, *key.maximum);
  }
  std::string out;
  if (key.minimum)
    out = fmt::format("{} {}", key.minimum_excluded ? "above" : "at least", *key.minimum);
  if (key.maximum) {
    if (!out.empty()) out += " and ";
    out += fmt::format("{} {}", key.maximum_excluded ? "below" : "at most", *key.maximum);
  }
  return out;
}

std::string numeric_text(const Key& key, std::string_view noun) {
  std::string out(noun);
  if (const std::string bounds = bounds_text(key); !bounds.empty()) out += " " + bounds;
  if (!key.unit.empty()) out += fmt::format(" ({})", key.unit);
  return out;
}

std::string list_text(const Key& key) {
  if (key.choices.empty()) return "a list";
  return fmt::format("a list of {}{}", fmt::join(key.choices, ", "),
                     key.takes_strength ? ", each also with =NUMBER" : "");
}

std::string wanted_text(const Key& key) {
  switch (key.type) {
    case Type::integer:
      return numeric_text(key, "an integer");
    case Type::number:
      return numeric_text(key, "a number");
    case Type::choice:
      return fmt::format("one of {}", fmt::join(key.choices, ", "));
    case Type::path:
      return "a path";
    case Type::device:
      return "the number of a GPU or cpu";
    case Type::list:
      return list_text(key);
    case Type::boolean:
    case Type::text:
      break;
  }
  return std::string(type_name(key.type));
}

std::vector<std::string> flag_names(const Key& key) {
  std::vector<std::string> names;
  for (const Flag& flag : flags()) {
    if (flag.key == key.path) names.push_back(flag.name);
  }
  return names;
}

/// `a | b` inside a table cell.
std::string escaped_cell(std::string text) {
  for (size_t at = text.find_first_of("|<"); at != std::string::npos;
       at = text.find_first_of("|<", at + 2)) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string code_list(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::string markdown_row(const Key& key) {
  std::string meaning = escaped_cell(key.meaning);
  if (!key.aliases.empty()) meaning += " Also " + code_list(key.aliases) + ".";
  return fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.path, escaped_cell(type_text(key)),
                     escaped_cell(default_text(key)), escaped_cell(range_text(key)),
                     code_list(flag_names(key)), meaning);
}

}  // namespace

std::string type_text(const Key& key) {
  std::string out(type_name(key.type));
  if (key.type == Type::choice) out = wanted_text(key);
  if (key.type == Type::list) out = wanted_text(key).substr(2);
  // Where the default is unset, it shows the word already.
  const bool unset = std::holds_alternative<std::monostate>(key.default_value);
  if (key.may_be_auto && !unset) out += ", or " + key.unset_word;
  return out;
}

std::string default_text(const Key& key) {
  if (!std::holds_alternative<std::monostate>(key.default_value)) return to_text(key.default_value);
  if (key.unset_word == "none") return key.default_note;
  return fmt::format("{}: {}", key.unset_word, key.default_note);
}

std::string range_text(const Key& key) {
  std::string out = bounds_text(key);
  if (out.starts_with("from ")) out.erase(0, 5);
  if (!key.unit.empty()) out += (out.empty() ? "" : " ") + key.unit;
  return out;
}

std::string expected_text(const Key& key) {
  std::string out = wanted_text(key);
  if (key.may_be_auto) out += ", or " + key.unset_word;
  return out;
}

std::string describe(const Key& key) {
  std::string out = fmt::format("{}\n  {}\n  type: {}\n  default: {}\n", key.path, key.meaning,
                                type_text(key), default_text(key));
  if (const std::string range = range_text(key); !range.empty())
    out += fmt::format("  range: {}\n", range);
  if (!key.aliases.empty()) out += fmt::format("  also: {}\n", fmt::join(key.aliases, ", "));
  if (const auto names = flag_names(key); !names.empty())
    out += fmt::format("  flags: {}\n", fmt::join(names, ", "));
  return out;
}

Json to_json(const Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>) {
          return nullptr;
        } else {
          return held;
        }
      },
      value);
}

std::string keys_markdown() {
  std::string out;
  for (const std::string& section : sections()) {
    out += fmt::format("{}## {}\n\n| key | type | default | range | flags | meaning |\n",
                       out.empty() ? "" : "\n", section);
    out += "|---|---|---|---|---|---|\n";
    for (const Key& key : keys()) {
      if (key.section() == section) out += markdown_row(key);
    }
  }
  return out;
}

}  // namespace seda::config
