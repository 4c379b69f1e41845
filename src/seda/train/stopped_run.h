// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace seda::train {

/// A run that was asked to stop before its end.
struct StoppedRun {
  int signal = 0;
  uint64_t updates = 0;
  std::filesystem::path checkpoint;  ///< That has all of it.

  /// "SIGTERM", or "Ctrl-C".
  std::string by() const;
  /// For people: that it stopped, and how it goes on.
  void tell() const;
  /// Throws Error(interrupted), but after SIGTERM, which schedulers send and take for an end like
  /// any other.
  void end() const;
};

}  // namespace seda::train
