// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "seda/base/trace.h"
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

/// `check_writable` of both.
void check_writable(const ReportFiles& files);

/// Writes a timeline that was asked for, and says so; null where none was.
void put_timeline(const TraceRecorder* trace, const std::string& file);

/// One result, for each who may want it.
struct Report {
  Json json;
  std::string text;
  std::string page;
};

/// Writes the files that were asked for and prints it, as text or as JSON: also where a file cannot
/// be written, which is thrown then.
void put_out(const Report& report, const ReportFiles& files, const Common& common);

}  // namespace seda::cli
