// SPDX-License-Identifier: Apache-2.0
#include "seda/dataset/format.h"

#include <array>
#include <utility>

namespace seda::dataset {
namespace {

using Name = std::pair<Format, std::string_view>;

constexpr std::array<Name, 7> kNames = {{
    {Format::ljspeech, "ljspeech"},
    {Format::split, "split"},
    {Format::vctk, "vctk"},
    {Format::libritts, "libritts"},
    {Format::common_voice, "common_voice"},
    {Format::json_lines, "json_lines"},
    {Format::table, "table"},
}};

}  // namespace

std::string_view to_string(Format format) {
  for (const auto& [value, name] : kNames) {
    if (value == format) return name;
  }
  return "unknown";
}

std::optional<Format> parse_format(std::string_view word) {
  for (const auto& [value, name] : kNames) {
    if (name == word) return value;
  }
  return std::nullopt;
}

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = [] {
    std::vector<Format> list;
    list.reserve(kNames.size());
    for (const auto& [value, name] : kNames)
      list.push_back(value);
    return list;
  }();
  return formats;
}

}  // namespace seda::dataset
