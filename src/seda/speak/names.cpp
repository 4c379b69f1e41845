// SPDX-License-Identifier: Apache-2.0
#include "seda/speak/names.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/ranges.h>

#include "seda/base/error.h"
#include "seda/base/nearest.h"

namespace seda::speak {
namespace {

constexpr size_t kListed = 10;

std::optional<int32_t> number_of(std::string_view text) {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string listed(std::span<const std::string> names) {
  const std::string more =
      names.size() > kListed ? fmt::format(" and {} more", names.size() - kListed) : "";
  return fmt::format("{}{}", fmt::join(names.first(std::min(names.size(), kListed)), ", "), more);
}

std::string what_there_is(std::string_view kind, std::span<const std::string> names) {
  if (names.size() == 1) {
    return names[0].empty() ? fmt::format("it has one {0} without a name; leave --{0} out", kind)
                            : fmt::format("it has one {0}, {1}; leave --{0} out", kind, names[0]);
  }
  return fmt::format("it has {}: {} (or a number from 0 to {})", names.size(), listed(names),
                     names.empty() ? 0 : names.size() - 1);
}

}  // namespace

int32_t find_name(std::string_view kind, std::string_view given,
                  std::span<const std::string> names) {
  const auto found = std::ranges::find(names, given);
  if (found != names.end()) return static_cast<int32_t>(found - names.begin());
  const auto number = number_of(given);
  if (number && *number >= 0 && static_cast<size_t>(*number) < names.size()) return *number;
  const auto nearest = nearest_name(given, names);
  throw_error(ErrorKind::usage, "the voice has no {} '{}'{}; {}", kind, given,
              nearest && !nearest->empty() ? fmt::format(", did you mean '{}'?", *nearest) : "",
              what_there_is(kind, names));
}

}  // namespace seda::speak
