// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <stop_token>
#include <thread>

#include <signal.h>

#include "seda/base/file_descriptor.h"

namespace seda {

/// Whether an `InterruptHandler` is there and has met SIGINT or SIGTERM, or the `StopScope` of this
/// thread was asked to stop. A load or two: fit for inner loops.
bool interrupted() noexcept;

/// The first of the two that it met; 0 before.
int interrupt_signal() noexcept;

/// Whether that one was typed at the terminal (Ctrl-C), which sends it to every process of the
/// foreground group, and not sent to this process alone.
bool interrupt_from_terminal() noexcept;

/// Throws Error(interrupted) once `interrupted()`.
void throw_if_interrupted();

/// Ctrl-C for its life: the first SIGINT or SIGTERM asks the program to stop, a later SIGINT ends
/// it at once with exit code 130. What comes within `one_wish` of the first is the same wish: GNU
/// timeout sends SIGINT to the process and then to its group. (A second SIGTERM never ends it:
/// launchers send one after Ctrl-C.)
///
/// Work polls `interrupted()`, or waits with `token()`, whose callbacks run on a thread of this
/// object, where locks and notifications are allowed. One at a time; a second is an
/// Error(internal). The handlers found at the start are put back at the end, and the flag is
/// cleared.
class InterruptHandler {
 public:
  static constexpr std::chrono::milliseconds kOneWish{500};

  explicit InterruptHandler(std::chrono::nanoseconds one_wish = kOneWish);
  ~InterruptHandler();
  InterruptHandler(const InterruptHandler&) = delete;
  InterruptHandler& operator=(const InterruptHandler&) = delete;

  /// Stop is requested soon after the signal.
  std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  void watch();

  FileDescriptor wakeups_;  // eventfd, written to by the signal handler and the destructor
  std::stop_source source_;
  struct sigaction old_int_{};
  struct sigaction old_term_{};
  std::jthread watcher_;
};

/// For its life `interrupted()` in this thread, and in those of `parallel_for` that work for it,
/// heeds `token` too: for a host program that has signal handlers of its own (Python), and stops
/// one call of several. Scopes nest; the innermost counts.
class StopScope {
 public:
  explicit StopScope(std::stop_token token) noexcept;
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  /// What this thread heeds: for those that work for it.
  static std::stop_token current() noexcept;

 private:
  std::stop_token token_;
  const std::stop_token* outer_;
};

}  // namespace seda
