// SPDX-License-Identifier: Apache-2.0
#include "seda/cli/report_files.h"

#include <CLI/CLI.hpp>

#include "seda/base/file.h"
#include "seda/base/log.h"

namespace seda::cli {

void add_report_files(CLI::App& verb, ReportFiles& files) {
  verb.add_option("-o,--output", files.text, "write the report to a file too")->type_name("FILE");
  verb.add_option("--html", files.page, "write it as a page for a browser")->type_name("FILE");
}

void put_out(const Report& report, const ReportFiles& files, const Common& common) {
  if (!files.text.empty()) {
    write_file(files.text, report.text);
    log::info("report: {}", files.text);
  }
  if (!files.page.empty()) {
    write_file(files.page, report.page);
    log::info("page: {}", files.page);
  }
  if (common.json) {
    print_json(report.json);
  } else {
    print(report.text);
  }
}

}  // namespace seda::cli
