// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "seda/base/json.h"
#include "seda/diagnose/repair.h"
#include "seda/diagnose/validation.h"

namespace seda::cli {

/// What `seda validate` found and did.
struct ValidateReport {
  std::optional<std::filesystem::path> file;
  diagnose::Validation validation;  ///< After the repair, where there was one.
  std::optional<diagnose::Repair> repair;
  std::string diff;      ///< Of the repair.
  bool written = false;  ///< Off: a dry run, or nothing to repair.
  std::filesystem::path backup;
};

/// What `seda validate --json` prints.
Json to_json(const ValidateReport& report);

/// For people, in lines of at most `width` columns but for the diff; in colour where asked for.
std::string report_text(const ValidateReport& report, size_t width, bool color);

/// A page of its own.
std::string report_page(const ValidateReport& report);

}  // namespace seda::cli
