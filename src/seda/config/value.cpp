// SPDX-License-Identifier: Apache-2.0
#include "seda/config/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seda::config {
namespace {

struct ToText {
  std::string_view unset;

  std::string operator()(std::monostate) const { return std::string(unset); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<std::string>& value) const {
    return fmt::format("[{}]", fmt::join(value, ", "));
  }
};

}  // namespace

std::string to_text(const Value& value, std::string_view unset) {
  return std::visit(ToText{unset}, value);
}

}  // namespace seda::config
