// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "seda/base/json.h"
#include "seda/config/config.h"
#include "seda/config/fix.h"
#include "seda/diagnose/finding_code.h"

namespace seda::diagnose {

enum class Status { passed, warning, failed, not_measured };
std::string_view to_string(Status status);  ///< "passed", …, "not measured"

enum class Severity { warning, error };
std::string_view to_string(Severity severity);

/// One thing that is wrong, or could be better.
struct Finding {
  Severity severity = Severity::warning;
  std::string code;  ///< docs/faults.md
  std::string key;   ///< Of the configuration; empty where none is concerned.
  int line = 0;      ///< Of the file, where the key was set there; 0 otherwise.
  std::string evidence;
  std::string change;              ///< What to do.
  std::optional<config::Fix> fix;  ///< Where the program can do it.
};

/// What one look at something showed.
struct Check {
  std::string name;
  Status status = Status::passed;
  std::string evidence;
  std::string change;  ///< Empty where nothing needs one.
  std::vector<Finding> findings;
};

Check passed(std::string name, std::string evidence);
/// `change` is what would make it measurable.
Check not_measured(std::string name, std::string evidence, std::string change = "");
/// As bad as the worst finding, with the evidence and the change of all; without one it has passed
/// with `evidence`, which else stands behind the findings' own.
Check judged(std::string name, std::vector<Finding> findings, const std::string& evidence);

/// A finding about the value of a key: where it was set is added to the evidence.
Finding of_key(const config::Config& config, std::string_view key, Severity severity,
               FindingCode code, const std::string& evidence, std::string change);

/// With a fix that gives its key that value; a key that a flag has set is not in the file, and is
/// left alone.
Finding with_fix(Finding finding, const config::Config& config, config::Value value);

/// A finding about no key.
Finding of_machine(Severity severity, FindingCode code, std::string evidence, std::string change);

Json to_json(const Check& check);
Json to_json(const Finding& finding);

}  // namespace seda::diagnose
