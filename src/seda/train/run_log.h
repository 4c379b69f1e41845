// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "seda/base/clock.h"
#include "seda/base/json.h"
#include "seda/train/event_file.h"
#include "seda/train/run_figures.h"
#include "seda/train/step_lines.h"
#include "seda/train/step_losses.h"
#include "seda/train/train_options.h"

namespace seda::train {

/// What happened since the log point before.
struct LogPoint {
  uint64_t step = 0;   ///< Updates done,
  uint64_t total = 0;  ///< of so many.
  uint64_t epoch = 0;
  double lr = 0;
  StepLosses losses;  ///< Mean over the stretch.
  RunFigures figures;
  int accumulation = 1;
  uint64_t faults = 0;  ///< So far.
};

/// A log point of any kind of run, as it is told.
struct LogEntry {
  uint64_t step = 0;                                    ///< Updates done,
  uint64_t total = 0;                                   ///< of so many.
  std::vector<std::pair<std::string, double>> scalars;  ///< For TensorBoard.
  std::string text;                                     ///< For the terminal.
};

/// One step, for the trace of batches.
struct TracedStep {
  uint64_t step = 0;
  int part = 0;
  uint64_t epoch = 0;
  uint32_t bucket = 0;
  std::vector<std::string> utterances;
  float loss = 0;
};

/// Where a run tells how it goes: the terminal, `<run>/log.jsonl`, TensorBoard, and the trace of
/// its batches. One thread.
class RunLog {
 public:
  /// Goes on after `step` updates: what the files say of later ones is cut off. `clock` must
  /// outlive it.
  RunLog(const TrainOptions& options, uint64_t step, const Clock& clock);

  /// So many updates were begun: a sign of life where log points are far apart, on a terminal with
  /// the figures of the last. Costs a look at the clock.
  void tick(uint64_t step, uint64_t total);

  void point(const LogPoint& point);
  /// `line` is for `log.jsonl` and has `step`.
  void point(const LogEntry& entry, const Json& line);
  /// Likewise; the text is shown whatever was shown before.
  void validation(const LogEntry& entry, const Json& line);
  void validation(uint64_t step, const StepLosses& losses, bool best);
  void trace(const TracedStep& step);

  /// Hands everything to the system; before a checkpoint is sealed.
  void flush();

  EventFile& events() noexcept { return events_; }
  bool traces() const noexcept { return trace_.has_value(); }

 private:
  void add(const LogEntry& entry, const Json& line);
  void show(const LogEntry& entry);
  bool is_past(int64_t since_ns, double seconds) const;

  ProgressStyle style_;
  StepLines lines_;
  EventFile events_;
  std::optional<StepLines> trace_;
  std::string status_;  // of the last log point
  const Clock& clock_;
  int64_t drawn_ns_;
  int64_t heard_ns_;  // of the last log point, shown or not, or count
  int64_t shown_ns_;
  bool shown_ = false;
};

/// A log point's line with another count: "step 40/90, loss 0.41" at 57 is "step 57/90, loss 0.41".
std::string counted_on(std::string_view line, uint64_t step, uint64_t total);

/// "step 1200/13100, epoch 3, loss 0.4120 …, 0:12:33 left".
std::string progress_line(const LogPoint& point);

}  // namespace seda::train
