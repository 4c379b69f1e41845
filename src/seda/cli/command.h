// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace seda::cli {

// Codes that shells give for a program that could not be started.
constexpr int kCommandNotFound = 127;
constexpr int kCommandNotRunnable = 126;

/// A program of the user's, run beside this one: with the same input, output, terminal and group.
///
/// It is not ended with its owner: what a signal does to it is its own affair.
class Command {
 public:
  /// Finds `words[0]` in the path. A program that cannot be started is an error in the log and
  /// `ExitWith` 127 (not found) or 126, as shells have it.
  explicit Command(const std::vector<std::string>& words);

  pid_t process_id() const noexcept { return process_id_; }

  /// Its exit code, 128 + n where signal n ended it; nullopt while it runs.
  std::optional<int> poll();

  /// Does nothing once it has ended.
  void send_signal(int number) const noexcept;

 private:
  pid_t process_id_ = 0;
  std::optional<int> code_;
};

}  // namespace seda::cli
