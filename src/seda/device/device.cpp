// SPDX-License-Identifier: Apache-2.0
#include "seda/device/device.h"

#include <charconv>
#include <memory>
#include <optional>

#include "seda/base/error.h"

namespace seda::device {
namespace {

std::optional<int> parse_index(std::string_view text) {
  int index = 0;
  const char* end = std::to_address(text.end());
  const auto [stop, code] = std::from_chars(std::to_address(text.begin()), end, index);
  if (text.empty() || code != std::errc() || stop != end || index < 0) return std::nullopt;
  return index;
}

}  // namespace

Device parse_device(std::string_view text) {
  constexpr std::string_view kPrefix = "cuda:";
  if (text == "cpu") return kCpu;
  if (text == "cuda") return cuda(0);
  const auto digits = text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text;
  if (const auto index = parse_index(digits)) return cuda(*index);
  throw_error(ErrorKind::usage,
              "expected a device as cpu, cuda, cuda:N or N (N = 0, 1, …), found \"{}\"", text);
}

std::string to_string(Device device) {
  return device.is_cpu() ? "cpu" : fmt::format("cuda:{}", device.index);
}

}  // namespace seda::device
