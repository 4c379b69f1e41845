// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/verdict_text.h"

#include <string_view>

#include <fmt/format.h>

namespace seda::cli {
namespace {

std::string line(std::string_view name, std::string_view text) {
  return fmt::format("{:<12} {}\n", name, text);
}

}  // namespace

std::string verdict_text(const diagnose::Verdict& verdict) {
  std::string out = line("verdict", to_string(verdict.cause));
  for (const std::string& evidence : verdict.evidence)
    out += line("", evidence);
  for (const diagnose::Remedy& remedy : verdict.remedies) {
    out += line("change", remedy.expected_gain.empty()
                              ? remedy.change
                              : fmt::format("{}  gives {}", remedy.change, remedy.expected_gain));
  }
  return out;
}

}  // namespace seda::cli
