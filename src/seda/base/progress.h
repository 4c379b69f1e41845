// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "seda/base/clock.h"
#include "seda/base/mutex.h"

namespace seda {

enum class ProgressStyle {
  quiet,     ///< Nothing.
  plain,     ///< A line every 10 s.
  terminal,  ///< One line, drawn again up to 10 times a second.
};

/// Quiet if asked, else by whether stderr is a terminal that can erase a line.
ProgressStyle progress_style(bool quiet);

/// Columns of the terminal on stderr, 80 where that is not known.
int terminal_width();

struct ProgressOptions {
  std::string label;   ///< What goes on: "prepare".
  std::string unit;    ///< What is counted: "clips".
  uint64_t total = 0;  ///< 0: not known; then only count and rate are shown.
  ProgressStyle style = ProgressStyle::quiet;
  int width = 80;  ///< Columns of the terminal.

  bool operator==(const ProgressOptions&) const = default;
};

/// Where progress is shown.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  /// Replaces the line that is redrawn; empty removes it.
  virtual void set_status(std::string_view line) = 0;
  /// Adds a line that stays.
  virtual void print(std::string_view line) = 0;
};

/// The log: lines that stay are log lines at info, and others are kept clear of the redrawn one.
class LogProgressSink final : public ProgressSink {
 public:
  void set_status(std::string_view line) override;
  void print(std::string_view line) override;
};

/// Tells on stderr how far some work has come, for work that takes over a second:
/// `prepare [=====>      ]  45 %  5895/13100 clips  1310/s  0:05 left`.
///
/// Thread-safe. `advance` costs an atomic addition and a look at the clock, unless a line is due:
/// it then draws it, as nothing else does (`advance(0)` while work stands still). The rate is that
/// of the last seconds, so that work which was skipped in an instant does not promise an early end.
class Progress {
 public:
  /// `clock` and `sink` must outlive it.
  Progress(ProgressOptions options, const Clock& clock, ProgressSink& sink);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(uint64_t n = 1);

  /// Removes the redrawn line; in plain style, closes with a last line if there were others and it
  /// says more than they. Later calls do nothing.
  void finish();

 private:
  void draw(int64_t now_ns) SEDA_EXCLUDES(mutex_);
  void update_rate(int64_t now_ns, uint64_t done) SEDA_REQUIRES(mutex_);
  void show(uint64_t done) SEDA_REQUIRES(mutex_);

  const ProgressOptions options_;
  const Clock& clock_;
  ProgressSink& sink_;
  std::atomic<uint64_t> done_{0};
  std::atomic<int64_t> due_ns_;
  Mutex mutex_;
  int64_t drawn_ns_ SEDA_GUARDED_BY(mutex_);
  uint64_t drawn_done_ SEDA_GUARDED_BY(mutex_) = 0;
  double rate_ SEDA_GUARDED_BY(mutex_) = 0;
  bool shown_ SEDA_GUARDED_BY(mutex_) = false;
  bool finished_ SEDA_GUARDED_BY(mutex_) = false;
};

}  // namespace seda
