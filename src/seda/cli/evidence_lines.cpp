// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/evidence_lines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "seda/base/units.h"

namespace seda::cli {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kShares[] = {"data_stall", "variation", "padding",
                                        "model_gpu_busy_while_fed", "share_of_ceiling"};

bool is_share(std::string_view name) {
  return name.ends_with("_share") || name.find("share_") != std::string_view::npos ||
         std::ranges::find(kShares, name) != std::end(kShares);
}

/// A key of the configuration ("data.batch_size") stays as it is.
std::string in_words(std::string name) {
  if (name.find('.') != std::string::npos) return name;
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string without_unit(const std::string& name) {
  for (const std::string_view unit : {"_bytes", "_ms", "_s"}) {
    const bool rate = name.ends_with("_per_s");
    if (!rate && name.ends_with(unit)) return name.substr(0, name.size() - unit.size());
  }
  return name;
}

std::string number_text(const std::string& name, const Json& value) {
  const double number = value.get<double>();
  if (name == "bytes" || name.ends_with("_bytes")) return format_bytes(value.get<uint64_t>());
  if (name.ends_with("_ms")) return format_seconds(1e-3 * number);
  if (name.ends_with("_s") && !name.ends_with("_per_s")) return format_seconds(number);
  if (is_share(name)) return fmt::format("{:.1f} %", 100 * number);
  if (value.is_number_integer()) return fmt::format("{}", value.get<int64_t>());
  return std::abs(number) >= 100 ? fmt::format("{:.0f}", number) : fmt::format("{:.3g}", number);
}

std::string value_text(const std::string& name, const Json& value) {
  if (value.is_null()) return "not known";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number()) return number_text(name, value);
  return value.is_string() ? value.get<std::string>() : to_json_text(value, -1);
}

std::string list_text(const Json& list) {
  std::string out;
  for (const Json& item : list)
    out += (out.empty() ? "" : ", ") + value_text("", item);
  return out.empty() ? "none" : out;
}

/// Whether an object's values are told on one line.
bool is_flat(const Json& value) {
  return std::ranges::none_of(value, [](const Json& item) { return item.is_structured(); });
}

/// "mean 20 ms, median 20 ms": of values that share the unit in their object's name.
std::string flat_text(const std::string& name, const Json& object) {
  std::string out;
  for (const auto& [key, value] : object.items()) {
    const bool own =
        key == "bytes" || key.ends_with("_bytes") || key.ends_with("_ms") || key.ends_with("_s");
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", in_words(without_unit(key)),
                       value_text(own ? key : name, value));
  }
  return out.empty() ? "none" : out;
}

bool is_setting(const Json& value) {
  return value.contains("value") && value.contains("default") && value.contains("source");
}

/// As a file has it: "false (seda.yaml:3), default true".
std::string setting_text(const Json& setting) {
  const Json& value = setting["value"];
  std::string text = value.is_array() ? list_text(value) : value_text("", value);
  if (value.is_boolean()) text = value.get<bool>() ? "true" : "false";
  if (value.is_null()) text = "unset";
  return fmt::format("{} ({}), default {}", text, setting["source"].get<std::string>(),
                     setting["default"].get<std::string>());
}

void add_lines(Lines& lines, const std::string& before, const std::string& name,
               const Json& value) {
  const std::string full = before + in_words(without_unit(name));
  if (value.is_array() && is_flat(value)) {
    lines.emplace_back(full, list_text(value));
  } else if (value.is_array()) {
    for (const Json& item : value)
      lines.emplace_back(full, flat_text("", item));
  } else if (value.is_object() && is_setting(value)) {
    lines.emplace_back(full, setting_text(value));
  } else if (value.is_object() && is_flat(value)) {
    lines.emplace_back(full, flat_text(name, value));
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.items())
      add_lines(lines, full + ", ", key, item);
  } else {
    lines.emplace_back(full, value_text(name, value));
  }
}

}  // namespace

Lines evidence_lines(const Json& evidence) {
  Lines lines;
  for (const auto& [name, value] : evidence.items())
    add_lines(lines, "", name, value);
  return lines;
}

}  // namespace seda::cli
