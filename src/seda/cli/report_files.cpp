// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/report_files.h"

#include <CLI/CLI.hpp>

#include "seda/base/log.h"

namespace seda::cli {

void add_report_files(CLI::App& verb, ReportFiles& files) {
  verb.add_option("-o,--output", files.text, "write the report to a file too")->type_name("FILE");
  verb.add_option("--html", files.page, "write it as a page for a browser")->type_name("FILE");
}

void check_writable(const ReportFiles& files) {
  check_writable(files.text);
  check_writable(files.page);
}

void put_timeline(const TraceRecorder* trace, const std::string& file) {
  if (trace == nullptr) return;
  trace->write(file);
  log::info("timeline: {} (open it in ui.perfetto.dev)", file);
}

void put_out(const Report& report, const ReportFiles& files, const Common& common) {
  do_each({[&] { put_file("report", files.text, report.text); },
           [&] { put_file("page", files.page, report.page); },
           [&] { common.json ? print_json(report.json) : print(report.text); }});
}

}  // namespace seda::cli
