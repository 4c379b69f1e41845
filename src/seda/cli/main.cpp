// SPDX-License-Identifier: Apache-2.0
#include "seda/base/crash_report.h"
#include "seda/base/standard_streams.h"
#include "seda/cli/app.h"

int main(int argc, char** argv) {
  seda::hold_standard_streams();
  seda::report_crashes();
  return seda::cli::run({argv, argv + argc});
}
