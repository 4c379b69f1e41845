// SPDX-License-Identifier: Apache-2.0
#include "seda/diagnose/conclusions.h"

#include <fmt/format.h>

namespace seda::diagnose {
namespace {

bool is_an_issue(const Section& section) {
  return section.status == to_string(Band::poor) || section.status == to_string(Band::fair);
}

std::string in_words(const Remedy& remedy) {
  if (remedy.expected_gain.empty()) return remedy.change;
  return fmt::format("{}: {}", remedy.change, remedy.expected_gain);
}

bool sets_what_helps(const Remedy& remedy) {
  return !remedy.key.empty() && (!remedy.gain || remedy.gain->after > remedy.gain->before);
}

}  // namespace

void conclude(Diagnosis& diagnosis) {
  const Verdict& verdict = diagnosis.verdict;
  if (verdict.cause != Cause::healthy) {
    diagnosis.issues.push_back(
        fmt::format("{}: {}", to_string(verdict.cause), verdict.evidence.front()));
  }
  for (const Section& section : diagnosis.sections) {
    if (is_an_issue(section))
      diagnosis.issues.push_back(fmt::format("{}: {}", section.name, section.status));
  }
  for (const Remedy& remedy : verdict.remedies) {
    diagnosis.recommendations.push_back(in_words(remedy));
    if (sets_what_helps(remedy)) diagnosis.config_changes.emplace_back(remedy.key, remedy.value);
  }
}

}  // namespace seda::diagnose
