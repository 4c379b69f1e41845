// SPDX-License-Identifier: Apache-2.0
#include "seda/train/stopped_run.h"

#include <csignal>

#include "seda/base/error.h"
#include "seda/base/log.h"

namespace seda::train {

std::string StoppedRun::by() const {
  return signal == SIGTERM ? "SIGTERM" : "Ctrl-C";
}

void StoppedRun::tell() const {
  if (checkpoint.empty()) {
    log::info("stopped by {} before a step was done", by());
    return;
  }
  log::info("stopped by {} after step {}; {} has it all, and the same command goes on from there",
            by(), updates, checkpoint.string());
}

void StoppedRun::end() const {
  if (signal != SIGTERM) throw_error(ErrorKind::interrupted, "stopped by {}", by());
}

}  // namespace seda::train
