// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "seda/cli/output.h"

namespace CLI {
class App;
}

namespace seda::cli {

/// Where a measurement goes beside the terminal.
struct ReportFiles {
  std::string text;  ///< Empty: nowhere.
  std::string page;
};

/// Adds --output and --html to a verb; `files` outlives it.
void add_report_files(CLI::App& verb, ReportFiles& files);

/// One result, for each who may want it.
struct Report {
  Json json;
  std::string text;
  std::string page;
};

/// Prints it, as text or as JSON, and writes the files that were asked for.
void put_out(const Report& report, const ReportFiles& files, const Common& common);

}  // namespace seda::cli
