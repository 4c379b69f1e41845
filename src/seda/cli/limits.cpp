// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/limits.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seda::cli {
namespace {

template <typename T>
CLI::Option* limit(CLI::Option* flag, T least, T most, const char* kind) {
  const auto check = [=](const std::string& value) -> std::string {
    T found{};
    // Not a number (nan) is on neither side.
    if (CLI::detail::lexical_cast(value, found) && found >= least && found <= most) return "";
    return fmt::format("expected {} from {} to {}, found '{}'", kind, least, most, value);
  };
  return flag->check(check)->type_name(fmt::format("{}..{}", least, most));
}

}  // namespace

CLI::Option* integer(CLI::Option* flag, int64_t least, int64_t most) {
  return limit(flag, least, most, "an integer");
}

CLI::Option* number(CLI::Option* flag, double least, double most) {
  return limit(flag, least, most, "a number");
}

CLI::Option* one_of(CLI::Option* flag, const std::vector<std::string>& words) {
  const auto check = [words](const std::string& value) -> std::string {
    if (std::ranges::find(words, value) != words.end()) return "";
    return fmt::format("expected one of {}, found '{}'", fmt::join(words, ", "), value);
  };
  return flag->check(check)->type_name(fmt::format("{}", fmt::join(words, "|")));
}

}  // namespace seda::cli
