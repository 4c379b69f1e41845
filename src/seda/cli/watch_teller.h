// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "seda/base/clock.h"
#include "seda/cli/live_screen.h"
#include "seda/diagnose/watch/watch_sampler.h"

namespace seda::cli {

/// Tells how a watch goes on: drawn again in place where the terminal is its own (`live`), else a
/// line of the log from time to time.
class WatchTeller {
 public:
  explicit WatchTeller(bool live) : live_(live) {}

  /// Nothing before it is time for more.
  void tell(const diagnose::WatchSampler& sampler);

  /// Leaves the terminal to what comes after.
  void end();

 private:
  void draw(const diagnose::WatchRecord& record);

  const bool live_;
  LiveScreen screen_;
  Stopwatch age_;
  Stopwatch verdict_age_;
  std::string so_far_;
};

}  // namespace seda::cli
