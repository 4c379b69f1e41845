// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/json.h"
#include "seda/diagnose/cause.h"
#include "seda/diagnose/watch/watch_summary.h"

namespace seda::cli {

/// A watch that is over.
struct WatchResult {
  std::string what;                ///< The command, "process 123", or "this machine".
  std::optional<int> exit_code;    ///< Of the command.
  std::vector<std::string> notes;  ///< What could not be seen, and the like.
  diagnose::WatchRecord record;
  diagnose::WatchSummary summary;
  diagnose::Verdict verdict;
};

Json to_json(const WatchResult& result);
std::string report_text(const WatchResult& result);
/// One self-contained page: verdict, figures, traces.
std::string report_page(const WatchResult& result);  // watch_page.cpp

}  // namespace seda::cli
